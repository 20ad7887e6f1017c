// A citation opens its card; the card's button, or Escape, leads back to the citation.
const LINKS = 'a.cite, a.to-card';
let cameFrom = null;
let chosen = null;
const open = (link) => {
  const card = document.getElementById(link.getAttribute('href').slice(1));
  if (!card) return;
  cameFrom = link.id;
  window.searchain.hold(card.closest('.of-turn').dataset.turn);
  window.searchain.openSide();
  chosen = card.id;
  mark();
  if (!card.open) card.querySelector('summary').click();
  const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
  (card.querySelector('.passage mark') || card).scrollIntoView({ block: 'center', behavior: calm ? 'auto' : 'smooth' });
  card.querySelector('summary').focus({ preventScroll: true });
};
const back = () => {
  const link = cameFrom && document.getElementById(cameFrom);
  window.searchain.closeSide();
  if (!link) return;
  link.scrollIntoView({ block: 'center' });
  link.focus({ preventScroll: true });
};
document.addEventListener('click', (event) => {
  const link = event.target.closest?.(LINKS);
  if (link) {
    event.preventDefault();
    event.stopPropagation();
    open(link);
  } else if (event.target.closest?.('.card .back')) {
    back();
  }
}, true);

// When a reply ends, Gradio rewrites it: a citation that is pressed just then is gone before its click.
let pressed = null;
document.addEventListener('pointerdown', ({ target, clientX, clientY }) => {
  const link = target.closest?.(LINKS);
  pressed = link && { link, clientX, clientY };
}, true);
document.addEventListener('pointerup', ({ clientX, clientY }) => {
  const one = pressed;
  pressed = null;
  if (!one || one.link.isConnected || Math.hypot(clientX - one.clientX, clientY - one.clientY) > 10) return;
  const rewritten = document.getElementById(one.link.id);
  if (rewritten) setTimeout(() => open(rewritten)); // after a click that something else may get
}, true);

// A new turn moves the cards, and Gradio rewrites them.
const mark = () => document.querySelectorAll('.card').forEach((card) => {
  if (card.classList.contains('is-chosen') !== (card.id === chosen)) card.classList.toggle('is-chosen');
});
new MutationObserver(mark).observe(document.getElementById('evidence-panel'),
  { subtree: true, childList: true, attributes: true, attributeFilter: ['id', 'class'] });

// An element with role=button must also react to the space bar.
document.addEventListener('keydown', (event) => {
  const link = event.target.closest?.(LINKS);
  if (link && (event.key === ' ' || event.key === 'Enter')) {
    event.preventDefault();
    event.stopPropagation();
    open(link);
  } else if (event.key === 'Escape' && event.target.closest?.('.card')) {
    back();
  }
}, true);

// Gradio rewrites a reply and its panels while they grow: give the focus back to its citation, card or step.
let held = null;
const idOf = (one) => one.closest('#chat a.cite')?.id ?? one.closest('#side details[id] > summary')?.parentElement.id ?? null;
document.addEventListener('focusin', (event) => { held = idOf(event.target) });
document.addEventListener('pointerdown', () => { held = null; }, true);
new MutationObserver(() => {
  const now = document.activeElement, one = held && document.getElementById(held);
  if (one && idOf(now) !== held && (now === document.body || idOf(now))) (one.querySelector('summary') || one).focus({ preventScroll: true });
}).observe(document.getElementById('columns'), { subtree: true, childList: true, attributes: true, attributeFilter: ['id'] });
