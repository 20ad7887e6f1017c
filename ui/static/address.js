// The address names the conversation, so that a reload or a bookmark comes back to it.
const address = () => {
  const shown = document.getElementById('reasoning')?.dataset.conversation;
  const url = new URL(location);
  if (!shown || url.searchParams.get('c') === shown) return;
  url.searchParams.set('c', shown);
  history.replaceState(null, '', url);
};
watch('value', address);
