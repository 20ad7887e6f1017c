// Shows the source of a citation that is pointed at or focused. All is taken from its card; the style sheet places it.
const DELAY = 120;  // milliseconds; a passing pointer opens nothing, and a pointer can move into the popover
const { made } = window.searchain;
const tip = made('div', { id: 'cite-tip', role: 'tooltip', hidden: true });
element.closest('.gradio-container').append(tip);
let owner = null;  // the id of the citation that is shown
let title = '';
let timer = 0;

const fill = (card) => {
  const piece = (name) => made('span', { className: `tip-${name}` }, card.querySelector(`.${name}`).textContent);
  const quote = card.querySelector('.quoted')?.cloneNode(true);
  tip.replaceChildren(piece('title'), ...(quote ? [quote] : []), piece('why'));
};
const hide = () => {
  clearTimeout(timer);
  if (tip.hidden) return;
  tip.hidden = true;
  const link = document.getElementById(owner);
  if (link) {
    link.removeAttribute('aria-describedby');
    link.style.anchorName = '';
    if (!link.title) link.title = title;
  }
  owner = null;
};
const show = (link) => {
  const card = document.getElementById(link.getAttribute('href').slice(1));
  if (!card || link.id === owner) return;
  hide();
  owner = link.id;
  fill(card);
  tip.hidden = false;
  link.style.anchorName = '--cited';
  title = link.title;  // the browser's own tooltip would cover this one
  link.removeAttribute('title');
  link.setAttribute('aria-describedby', tip.id);
};
const soon = (what) => {
  clearTimeout(timer);
  timer = setTimeout(what, DELAY);
};

// found by id, because Gradio may have rewritten the reply; its card may come a moment later
const showLater = (id) => soon(() => {
  const link = document.getElementById(id);
  if (!link) return;
  show(link);
  if (!owner) showLater(id);
});

document.addEventListener('pointerover', (event) => {
  if (event.pointerType !== 'mouse') return;
  const link = event.target.closest?.('#chat a.cite');
  if (link) showLater(link.id);
  else if (tip.contains(event.target) || document.activeElement?.id === owner) clearTimeout(timer);
  else soon(hide);
});
document.addEventListener('focusin', (event) => {
  const link = event.target.closest?.('#chat a.cite');
  if (link?.matches(':focus-visible')) show(link);
  else hide();
});
document.addEventListener('keydown', (event) => { if (event.key === 'Escape') hide(); }, true);
document.addEventListener('click', (event) => { if (!tip.contains(event.target)) hide(); }, true);
