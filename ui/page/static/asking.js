// Empties the question box once its question is being answered; until then it may be refused. A question asked during a
// run is the next one: it stays in the box until the reply has ended, as a line above the box says.
const box = document.querySelector('#question textarea');
const hint = window.searchain.made('p', { id: 'asking-hint' });
hint.setAttribute('role', 'status');
document.getElementById('compose').append(hint);
const say = (text) => { if (hint.textContent !== text) hint.textContent = text };
const { now: reasoning, t } = window.searchain;
const EMPTY = t('Type a question first.');
const NEXT = t('Next: asked when this reply has ended.');
box.dir = 'auto'; // Gradio knows only one direction
let last = { at: 0 }; // the question that was asked last, after which turn and when
let known = '';
let isWaiting = false;
const isOpening = () => new URLSearchParams(location.search).has('c') && !reasoning().conversation && !document.querySelector('#chat .notice');
const isHere = () => reasoning().state !== 'running' && !isOpening();
// The next question does not wait for a larger model to check the reply: that keeps it as it is.
const endCheck = () => { if (isWaiting && document.querySelector('#chat .outcome.is-busy')) document.getElementById('stop').click() };
watch('value', () => {
  endCheck();
  const { turn, question } = reasoning();
  if (turn !== known && [last.text, question.trim()].includes(box.value.trim())) window.searchain.write(box, '');
  known = turn;
  if (!isWaiting || !isHere()) return;
  isWaiting = false;
  say('');
  document.getElementById('ask').click();
});
box.addEventListener('input', () => { isWaiting = false; say('') }); // what is typed on is not asked by itself
document.addEventListener('change', () => { last = { at: 0 } }, true);  // with other settings the same question is a new one
// A question waits for the reply before it, and for its conversation. A key pressed twice and an empty box ask nothing.
const isHeldBack = () => {
  const text = box.value.trim(), { state, turn } = reasoning();
  const isTwice = text === last.text && turn === last.turn && Date.now() - last.at < 1000;
  if (!text && isHere()) say(EMPTY);
  if (!text || isTwice) return true;
  isWaiting = !isHere();
  if (isWaiting && state === 'running') say(NEXT);
  endCheck();
  if (!isWaiting) last = { text, turn, at: Date.now() };
  return isWaiting;
};
const holdBack = (event) => {
  if (!isHeldBack()) return;
  event.preventDefault();
  event.stopImmediatePropagation();
};
document.addEventListener('keydown', (event) => {
  if (event.target === box && event.key === 'Enter' && !event.shiftKey && !event.isComposing) holdBack(event);
}, true);
// Ask and Stop come and go when they are pressed: the question box gets the focus, except on a phone,
// where that would open the keyboard.
document.addEventListener('click', (event) => {
  if (event.target.closest?.('#ask, #stop') && event.pointerType !== 'touch') box.focus();
  if (event.target.closest?.('#ask')) holdBack(event);
}, true);
