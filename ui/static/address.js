// The address names the conversation, so that a reload or a bookmark comes back to it.
const address = () => {
  const shown = document.getElementById('reasoning')?.dataset.conversation;
  const url = new URL(location);
  if (!shown || url.searchParams.get('c') === shown) return;
  url.searchParams.set('c', shown);
  history.replaceState(null, '', url);
};
watch('value', address);
// Gradio makes every link of a message open another tab; the one to a new conversation stays in this one.
document.addEventListener('click', (event) => {
  const link = event.target.closest?.('#chat .notice a');
  if (link) Object.assign(link, { target: '', href: document.getElementById('new').href });
}, true);
