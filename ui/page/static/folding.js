// Keeps what the reader unfolded or folded, because Gradio rewrites replies and the side panels during a run. The parts of
// the panels are folded at first; "How it was found" is open during the search.
const chosen = new Map(); // what was pressed → whether it is open
const keyOf = (one) => (one.matches('.how') ? one.closest('.answer-block').id : one.id || `${one.closest('details[id]')?.id} whole`);
const keep = () => {
  for (const details of document.querySelectorAll('#chat .how, #side details[id]')) {
    const isOpen = chosen.get(keyOf(details)) ?? (details.matches('.how') && details.open);
    if (details.open !== isOpen) details.open = isOpen;
  }
  for (const button of document.querySelectorAll('#side button.whole')) {
    const isWhole = chosen.get(keyOf(button)) ?? false, passage = button.previousElementSibling;
    if (passage.classList.contains('is-whole') !== isWhole) passage.classList.toggle('is-whole');
    if (button.getAttribute('aria-expanded') !== String(isWhole)) button.setAttribute('aria-expanded', isWhole);
  }
};
document.addEventListener('click', (event) => {
  const details = event.target.closest?.('#chat .how > summary, #side details[id] > summary')?.parentElement;
  const button = event.target.closest?.('#side button.whole');
  if (details) event.preventDefault();
  if (details?.closest('#side') && getSelection().type === 'Range') return;
  if (details) chosen.set(keyOf(details), !details.open);
  else if (button) chosen.set(keyOf(button), !chosen.get(keyOf(button)));
  else return;
  keep();
});
for (const id of ['chat', 'side']) {
  new MutationObserver(keep).observe(document.getElementById(id),
    { subtree: true, childList: true, attributes: true, attributeFilter: ['id', 'open', 'class', 'aria-expanded'] });
}
