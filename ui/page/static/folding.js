// Keeps what the reader unfolded, by id, because Gradio rewrites the side panels during a run.
const unfolded = new Set();
// "How it was found" is open during the search, unless the reader closed it.
const chat = document.getElementById('chat');
const choices = new Map(); // block → whether the reader opened it
const keep = () => chat.querySelectorAll('.how').forEach((how) => {
  const isOpen = choices.get(how.closest('.answer-block').id);
  if (isOpen !== undefined && how.open !== isOpen) how.open = isOpen;
});
document.addEventListener('click', (event) => {
  const how = event.target.closest?.('#chat .how > summary')?.parentElement;
  if (!how) return;
  event.preventDefault();
  choices.set(how.closest('.answer-block').id, !how.open);
  keep();
});
new MutationObserver(keep).observe(chat, { subtree: true, childList: true, attributes: true, attributeFilter: ['open'] });
const side = document.getElementById('side');
const passageOf = (button) => button.previousElementSibling;
const keyOf = (button) => `${button.closest('details[id]')?.id} whole`;
const toggle = (key) => unfolded.delete(key) || unfolded.add(key);
const set = (holder, name, value) => holder.getAttribute(name) !== value && holder.setAttribute(name, value);
const refold = () => {
  for (const details of side.querySelectorAll('details[id]')) {
    if (details.open !== unfolded.has(details.id)) details.open = unfolded.has(details.id);
  }
  for (const button of side.querySelectorAll('button.whole')) {
    const isWhole = unfolded.has(keyOf(button));
    if (passageOf(button).classList.contains('is-whole') !== isWhole) passageOf(button).classList.toggle('is-whole');
    set(button, 'aria-expanded', String(isWhole));
  }
};
document.addEventListener('click', (event) => {
  const summary = event.target.closest?.('#side details[id] > summary');
  const button = event.target.closest?.('#side button.whole');
  if (summary && getSelection().type === 'Range') event.preventDefault();
  else if (summary) {
    event.preventDefault();
    toggle(summary.parentElement.id);
  } else if (button) {
    toggle(keyOf(button));
  } else return;
  refold();
});
new MutationObserver(refold).observe(side,
  { subtree: true, childList: true, attributes: true, attributeFilter: ['id', 'open', 'class', 'aria-expanded'] });
