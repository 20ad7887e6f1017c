// Shows how long a run has been going on, through a style sheet, because Gradio rewrites messages.
let since = 0;
let timer = 0;
const tell = () => {
  const seconds = Math.max(0, Math.floor((performance.now() - since) / 1000));
  document.documentElement.style.setProperty('--elapsed', `"${seconds} s"`);
};
window.searchain.onChange(({ state, turn }) => state === 'running' && turn, ({ state, elapsed }) => {
  clearInterval(timer);
  if (state !== 'running') return;
  since = performance.now() - 1000 * Number(elapsed);
  tell();
  timer = setInterval(tell, 1000);
});
