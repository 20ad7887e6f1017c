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
box.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
  if (reasoning().state === 'running' && box.value.trim()) say(t('Wait for the reply, or stop it.'));
  if (reasoning().state !== 'running' && !box.value.trim()) say(EMPTY);
});
// Ask and Stop share one place, so the pressed button disappears: the question box gets the focus, except on a phone,
// where that would open the keyboard.
document.addEventListener('click', (event) => {
  if (event.target.closest?.('#ask') && !box.value.trim()) say(EMPTY);
  if (event.target.closest?.('#ask, #stop') && event.pointerType !== 'touch') box.focus();
});
