// Highlights what belongs together: pointing at a sentence, source or node, focusing or choosing it, lights the others.
// A style sheet with ids does this, because Gradio rewrites classes and attributes while a reply streams.
const THINGS = 'a.cite, .sentence, .card, #reasoning .node';
const light = window.searchain.sheet();
CSS.registerProperty({ name: '--lit', syntax: '*', inherits: false });  // otherwise a lit sentence would light all its citations
let pointed = null;
let focusedOn = null;
let picked = null;
let lit = '';
const targetOf = (chip) => chip.getAttribute('href').slice(1);
const nodesOf = (card) => card.dataset.nodes.split(' ');
const cardsOf = (thing) => {
  if (thing.matches('a.cite')) return [targetOf(thing)];
  if (thing.matches('.card')) return [thing.id];
  if (thing.matches('.node')) return [...document.querySelectorAll('.card')].filter((card) => nodesOf(card).includes(thing.id)).map((card) => card.id);
  return [...thing.querySelectorAll('a.cite')].map(targetOf);
};
const relatives = (thing) => {
  const cards = cardsOf(thing);
  const chips = thing.matches('a.cite') ? [thing] : [...document.querySelectorAll('#chat a.cite')].filter((chip) => cards.includes(targetOf(chip)));
  const sentences = thing.matches('.sentence') ? [thing] : chips.map((chip) => chip.closest('.sentence'));
  const nodes = cards.flatMap((id) => { const card = document.getElementById(id); return card ? nodesOf(card) : []; });
  return [thing.id, ...cards, ...nodes, ...chips.map((chip) => chip.id), ...sentences.map((sentence) => sentence?.id)];
};
const shine = () => {
  const thing = document.getElementById(pointed ?? focusedOn ?? picked);
  const rules = thing ? [...new Set(relatives(thing).filter(Boolean))].map((id) => `#${CSS.escape(id)}`).join(', ') : '';
  if (rules === lit) return;
  lit = rules;
  light.replaceSync(rules && `:is(${rules}) { --lit: var(--light); }`);
};
const thingAt = (target) => target.closest?.(THINGS);

document.addEventListener('pointerover', (event) => {
  if (event.pointerType !== 'mouse') return;
  pointed = thingAt(event.target)?.id ?? null;
  shine();
});
document.documentElement.addEventListener('pointerleave', () => { pointed = null; shine(); });
document.addEventListener('focusin', (event) => {
  focusedOn = event.target.matches(':focus-visible') ? thingAt(event.target)?.id ?? null : null;
  shine();
});
document.addEventListener('focusout', () => { focusedOn = null; shine(); });
document.addEventListener('click', (event) => {
  if (getSelection().type === 'Range') return;
  picked = (event.target.closest('.to-card') ? document.getElementById(targetOf(event.target.closest('.to-card'))) : thingAt(event.target))?.id ?? null;
  shine();
}, true);
document.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape') return;
  picked = null;
  shine();
});
// a growing reply adds sentences and cards that may have to be lit
watch('value', () => queueMicrotask(shine));
