// The address names the conversation, so that a reload or a bookmark returns to it. A temporary one has none.
const address = () => {
  const shown = document.getElementById('reasoning')?.dataset.conversation;
  const url = new URL(location);
  if (!shown || url.searchParams.get('c') === shown || url.searchParams.has('temporary')) return;
  url.searchParams.set('c', shown);
  history.replaceState(null, '', url);
};
watch('value', address);
// Gradio opens each link of a message in another tab. A notice's link opens in this tab; one to a new conversation acts
// like the page's own link.
document.addEventListener('click', (event) => {
  const link = event.target.closest?.('#chat .notice a');
  if (!link) return;
  link.target = '';
  if (link.getAttribute('href') === '?') link.href = document.getElementById('new').href;
}, true);
