// Shows the source of a citation that is pointed at or focused. All text is taken from its card.
const WORDS = 90;  // characters beside the span
const DELAY = 120;  // milliseconds; a passing pointer opens nothing, and a pointer can move into the popover
const tip = document.createElement('div');
tip.id = 'cite-tip';
tip.role = 'tooltip';
tip.hidden = true;
element.closest('.gradio-container').append(tip);
let owner = null;  // the id of the citation that is shown
let title = '';
let timer = 0;

const piece = (name, text, tag = 'span') => Object.assign(document.createElement(tag), { className: name, textContent: text });
const cut = (text, fromEnd) => {
  const short = fromEnd ? text.slice(-WORDS) : text.slice(0, WORDS);
  if (short.length === text.length) return short;
  return fromEnd ? `… ${short.slice(short.indexOf(' ') + 1)}` : `${short.slice(0, short.lastIndexOf(' ') + 1 || WORDS).trimEnd()} …`;
};
const quotation = (passage) => {
  const quote = piece('tip-quote', '');
  const mark = passage.querySelector('mark');
  if (!mark) {
    quote.append(cut(passage.textContent, false));
    return quote;
  }
  const [before, after] = [new Range(), new Range()];
  before.setStart(passage, 0);
  before.setEndBefore(mark);
  after.setStartAfter(mark);
  after.setEnd(passage, passage.childNodes.length);
  quote.append(cut(before.toString(), true), piece('', mark.textContent, 'mark'), cut(after.toString(), false));
  return quote;
};
const fill = (card) => {
  tip.replaceChildren(piece('tip-title', card.querySelector('.title').textContent), quotation(card.querySelector('.passage')),
    piece('tip-why', card.querySelector('.why').textContent));
};
const place = (link) => {
  const box = link.getBoundingClientRect();
  const below = box.bottom + 6 + tip.offsetHeight < innerHeight;
  tip.style.left = `${Math.max(8, Math.min(box.left - 16, document.documentElement.clientWidth - tip.offsetWidth - 8))}px`;
  tip.style.top = `${below ? box.bottom + 6 : Math.max(8, box.top - tip.offsetHeight - 6)}px`;
};
const hide = () => {
  clearTimeout(timer);
  if (tip.hidden) return;
  tip.hidden = true;
  const link = document.getElementById(owner);
  if (link) {
    link.removeAttribute('aria-describedby');
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
  place(link);
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
for (const name of ['scroll', 'resize']) {
  addEventListener(name, () => {
    const link = !tip.hidden && document.getElementById(owner);
    if (link) place(link);
  }, { capture: true, passive: true });
}
