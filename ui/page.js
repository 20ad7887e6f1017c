// Runs once when the page is mounted; `element`, `watch` and `trigger` come from Gradio. Everything is delegated from the
// document, because Gradio renders messages and cards again while a reply streams.

// A citation opens its card; the card's button (or Escape) leads back to the citation.
let cameFrom = null;
const open = (link) => {
  const card = document.getElementById(link.getAttribute('href').slice(1));
  if (!card) return;
  cameFrom = link.getAttribute('href');
  document.querySelectorAll('.card.is-chosen').forEach((other) => other.classList.remove('is-chosen'));
  card.open = true;
  card.classList.add('is-chosen');
  const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
  (card.querySelector('mark') || card).scrollIntoView({ block: 'center', behavior: calm ? 'auto' : 'smooth' });
  card.querySelector('summary').focus({ preventScroll: true });
};
const back = () => {
  const link = cameFrom && document.querySelector(`#chat a.cite[href="${CSS.escape ? cameFrom : ''}"]`);
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
  } else if (event.target.closest?.('.card .back')) back();
}, true);

// role=button promises the space bar; role=tree promises arrow keys and one tab stop.
const step = (item, key) => {
  const items = [...item.parentElement.children];
  const at = items.indexOf(item);
  const level = Number(item.ariaLevel);
  if (key === 'ArrowDown') return items[at + 1];
  if (key === 'ArrowUp') return items[at - 1];
  if (key === 'Home') return items[0];
  if (key === 'End') return items.at(-1);
  if (key === 'ArrowRight') return Number(items[at + 1]?.ariaLevel) > level ? items[at + 1] : null;
  if (key === 'ArrowLeft') return items.slice(0, at).reverse().find((other) => Number(other.ariaLevel) < level);
};
document.addEventListener('keydown', (event) => {
  const link = event.target.closest?.('a.cite');
  if (link && (event.key === ' ' || event.key === 'Enter')) {
    event.preventDefault();
    event.stopPropagation();
    open(link);
    return;
  }
  if (event.key === 'Escape' && event.target.closest?.('.card')) back();
  const item = event.target.closest?.('[role=treeitem]');
  const next = item && step(item, event.key);
  if (next) {
    event.preventDefault();
    item.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  }
}, true);

// The address names the conversation, so that a reload or a bookmark comes back to it.
const address = () => {
  const shown = document.getElementById('reasoning')?.dataset.conversation;
  const url = new URL(location);
  if (!shown || url.searchParams.get('c') === shown) return;
  url.searchParams.set('c', shown);
  history.replaceState(null, '', url);
};
watch('value', address);
