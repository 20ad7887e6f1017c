// Shows the link to the annotation desk to those who may annotate; the desk opens in the same theme.
const desk = document.getElementById('annotate');
if (desk) {
  const theme = new URLSearchParams(location.search).get('__theme');
  if (theme) desk.search = new URLSearchParams({ __theme: theme });
  if (desk.hidden) window.searchain.call('person').then(({ annotates }) => { desk.hidden = !annotates }).catch(() => {});
}
