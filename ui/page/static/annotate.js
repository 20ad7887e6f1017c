// The link to the annotation desk: for those who may annotate, in the same theme.
const desk = document.getElementById('annotate');
if (desk) {
  const theme = new URLSearchParams(location.search).get('__theme');
  if (theme) desk.search = new URLSearchParams({ __theme: theme });
  if (desk.hidden) window.searchain.call('person').then(({ annotates }) => { desk.hidden = !annotates }).catch(() => {});
}
