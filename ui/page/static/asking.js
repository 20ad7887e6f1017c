// Empties the question box once its question is being answered; until then it may be refused. A line above the box
// says when nothing can be asked because a run is going on.
const box = document.querySelector('#question textarea');
const hint = window.searchain.made('p', { id: 'asking-hint' });
hint.setAttribute('role', 'status');
document.getElementById('compose').append(hint);
const reasoning = () => document.getElementById('reasoning').dataset;
const say = (text) => { if (hint.textContent !== text) hint.textContent = text };
const { t } = window.searchain;
const EMPTY = t('Type a question first.');
let known = '';
watch('value', () => {
  const { state, turn, question } = reasoning();
  if (state !== 'running') say('');
  if (turn === known) return;
  known = turn;
  if (box.value.trim() !== question.trim()) return;
  box.value = '';
  box.dispatchEvent(new Event('input', { bubbles: true }));
});
box.addEventListener('input', () => say(''));
// Gradio asks what comes while its last event still ends after that event, so that nothing is lost in the moment after a
// reply. All else that must not be asked later is held back here: during a run, a key pressed twice, an empty box.
let last = { at: 0 };
document.addEventListener('change', () => { last = { at: 0 } }, true);  // with other settings the same question is a new one
let isWaiting = false;
const isOpening = () => new URLSearchParams(location.search).has('c') && !reasoning().conversation && !document.querySelector('#chat .notice');
const isHeldBack = () => {
  const text = box.value.trim(), { state, turn } = reasoning();
  if (state === 'running' && text) say(t('Wait for the reply, or stop it.'));
  if (state !== 'running' && !text) say(EMPTY);
  if (state === 'running' || !text) return true;
  if (isOpening()) return isWaiting = true;
  const isTwice = text === last.text && turn === last.turn && Date.now() - last.at < 1000;
  if (!isTwice) last = { text, turn, at: Date.now() };
  return isTwice;
};
const holdBack = (event) => {
  if (!isHeldBack()) return;
  event.preventDefault();
  event.stopImmediatePropagation();
};
document.addEventListener('keydown', (event) => {
  if (event.target === box && event.key === 'Enter' && !event.shiftKey && !event.isComposing) holdBack(event);
}, true);
watch('value', () => {
  if (!isWaiting || isOpening()) return;
  isWaiting = false;
  document.getElementById('ask').click();
});
// Ask and Stop share one place, so the pressed button disappears: the question box gets the focus, except on a phone,
// where that would open the keyboard.
document.addEventListener('click', (event) => {
  if (event.target.closest?.('#ask, #stop') && event.pointerType !== 'touch') box.focus();
  if (event.target.closest?.('#ask')) holdBack(event);
}, true);
