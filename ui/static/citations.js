// A citation opens its card; the card's button (or Escape) leads back to the citation.
let cameFrom = null;
let chosen = null;
const opened = new Set();
const open = (link) => {
  const card = document.getElementById(link.getAttribute('href').slice(1));
  if (!card) return;
  cameFrom = link.getAttribute('href');
  chosen = card.id;
  opened.add(card.id);
  restore();
  const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
  (card.querySelector('mark') || card).scrollIntoView({ block: 'center', behavior: calm ? 'auto' : 'smooth' });
  card.querySelector('summary').focus({ preventScroll: true });
};
const back = () => {
  const link = cameFrom && document.querySelector(`#chat a.cite[href="${CSS.escape(cameFrom)}"]`);
  if (!link) return;
  link.scrollIntoView({ block: 'center' });
  link.focus({ preventScroll: true });
};
document.addEventListener('click', (event) => {
  const link = event.target.closest?.('a.cite');
  if (link) {
    event.preventDefault();
    event.stopPropagation();
    open(link);
  } else if (event.target.closest?.('.card .back')) {
    back();
  } else if (event.target.closest?.('.card summary')) {
    const { id } = event.target.closest('.card');
    if (!opened.delete(id)) opened.add(id);
  }
}, true);

// A new turn moves the cards and Gradio writes them anew; what the reader opened stays open.
const restore = () => document.querySelectorAll('.card').forEach((card) => {
  if (card.open !== opened.has(card.id)) card.open = opened.has(card.id);
  if (card.classList.contains('is-chosen') !== (card.id === chosen)) card.classList.toggle('is-chosen');
});
new MutationObserver(restore).observe(document.getElementById('evidence-panel'),
  { subtree: true, childList: true, attributes: true, attributeFilter: ['id', 'open', 'class'] });

// role=button promises the space bar.
document.addEventListener('keydown', (event) => {
  const link = event.target.closest?.('a.cite');
  if (link && (event.key === ' ' || event.key === 'Enter')) {
    event.preventDefault();
    event.stopPropagation();
    open(link);
  } else if (event.key === 'Escape' && event.target.closest?.('.card')) {
    back();
  }
}, true);
