// The address names the conversation, so that a reload or a bookmark comes back to it.
const address = () => {
  const shown = document.getElementById('reasoning')?.dataset.conversation;
  const url = new URL(location);
  if (!shown || url.searchParams.get('c') === shown) return;
  url.searchParams.set('c', shown);
  history.replaceState(null, '', url);
};
watch('value', address);
// Gradio makes every link of a message open another tab; a notice's stays in this one, and to a new conversation goes as
// the page's own link does.
document.addEventListener('click', (event) => {
  const link = event.target.closest?.('#chat .notice a');
  if (!link) return;
  link.target = '';
  if (link.getAttribute('href') === '?') link.href = document.getElementById('new').href;
}, true);
