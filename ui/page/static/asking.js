// The box is emptied once what stands in it is being answered: until then it may be refused. Where it leads nowhere
// to ask, because a run goes on, a line above it says so.
const box = document.querySelector('#question textarea');
const hint = window.searchain.made('p', { id: 'asking-hint' });
hint.setAttribute('role', 'status');
document.getElementById('compose').append(hint);
const told = () => document.getElementById('reasoning').dataset;
const say = (text) => { if (hint.textContent !== text) hint.textContent = text };
const { t } = window.searchain;
const EMPTY = t('Type a question first.');
let known = '';
watch('value', () => {
  const { state, turn, question } = told();
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
  if (told().state === 'running' && box.value.trim()) say(t('Wait for the reply, or stop it.'));
  if (told().state !== 'running' && !box.value.trim()) say(EMPTY);
});
// Ask and Stop stand in one place, and the one that was pressed goes; on a phone the box would bring its keyboard.
document.addEventListener('click', (event) => {
  if (event.target.closest?.('#ask') && !box.value.trim()) say(EMPTY);
  if (event.target.closest?.('#ask, #stop') && event.pointerType !== 'touch') box.focus();
});
