// Shows how long a run has been going on, through a style sheet, because Gradio rewrites messages.
let since = 0;
let timer = 0;
const tell = () => {
  const seconds = Math.max(0, Math.floor((performance.now() - since) / 1000));
  document.documentElement.style.setProperty('--elapsed', `"${seconds} s"`);
};
let known = '';
watch('value', () => {
  const { state, turn, elapsed } = document.getElementById('reasoning').dataset;
  const now = state === 'running' ? turn : '';
  if (now === known) return;
  known = now;
  clearInterval(timer);
  if (!now) return;
  since = performance.now() - 1000 * Number(elapsed);
  tell();
  timer = setInterval(tell, 1000);
});
