// Shows how long a run has been going on, through a style sheet, because Gradio rewrites messages.
document.documentElement.style.setProperty('--to-end', JSON.stringify(window.searchain.t('To the end')));
let since = 0;
let timer = 0;
const tell = () => {
  const seconds = Math.max(0, Math.floor((performance.now() - since) / 1000));
  document.documentElement.style.setProperty('--elapsed', `"${seconds} s"`);
};
let known = '';
const over = new Set(); // turns that ended on this page: a replay of one begins at 0
watch('value', () => {
  const { state, turn, elapsed } = document.getElementById('reasoning').dataset;
  if (state === 'done') over.add(turn);
  const now = state === 'running' ? turn : '';
  document.documentElement.classList.toggle('is-replaying', over.has(now));
  if (now === known) return;
  known = now;
  clearInterval(timer);
  if (!now) return;
  since = performance.now() - (over.has(turn) ? 0 : 1000 * Number(elapsed));
  tell();
  timer = setInterval(tell, 1000);
});
