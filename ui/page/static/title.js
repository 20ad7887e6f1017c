// Gives the window the title of its conversation, so that tabs and history entries differ.
const { shown } = window.searchain;
const LONGEST = 50; // characters
let named = '';
const follow = () => {
  const entry = document.querySelector('#nav [aria-current] .title');
  if (!shown() || !entry && named === shown()) return; // during a search the list may not show it
  const words = [...(entry || document.querySelector('#chat .question'))?.textContent.trim().replace(/\s+/g, ' ') || ''];
  if (!words.length) return;
  named = shown();
  document.title = `${words.length > LONGEST ? `${words.slice(0, LONGEST).join('').trimEnd()}…` : words.join('')} · SearChain`;
};
watch('value', () => queueMicrotask(follow));
for (const [id, attributes] of [['nav', { attributes: true, attributeFilter: ['aria-current'] }], ['chat', {}]]) {
  new MutationObserver(follow).observe(document.getElementById(id), { subtree: true, childList: true, ...attributes });
}
