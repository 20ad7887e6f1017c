// A question that was asked again stands once: ‹ and › lead from one of its replies to the other. The newest is shown
// until another one is chosen, by a style sheet made of ids, because Gradio writes messages anew.
const chosen = new Map(); // the newest version of a question → the one that is shown
const sheet = new CSSStyleSheet();
document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
const turnOf = (asked) => asked.id.slice(3);
// It holds as long as `newest` is the newest: what is asked again after that is shown.
const instead = (newest, shown) => ['vq', 'va'].map((kind) => {
  const [last, other] = [newest, shown].map((turn) => `#${kind}-${CSS.escape(turn)}`);
  return `${last}.is-newest { display: none } :has(> ${last}.is-newest) > ${other} { display: block }`;
}).join(' ');
document.addEventListener('click', (event) => {
  const button = event.target.closest?.('#chat .pager button');
  if (!button) return;
  const asked = button.closest('.asked');
  const all = [...asked.parentElement.querySelectorAll('.asked.version')];
  const next = all[all.indexOf(asked) + (button.matches('.earlier') ? -1 : 1)];
  if (!next) return;
  const newest = turnOf(all.at(-1));
  chosen.set(newest, turnOf(next));
  sheet.replaceSync([...chosen].filter(([last, shown]) => last !== shown).map((pair) => instead(...pair)).join(' '));
  window.searchain.hold(turnOf(next));
  (next.querySelector(button.matches('.earlier') ? '.earlier:not(.is-none)' : '.later:not(.is-none)')
    || next.querySelector('.pager button:not(.is-none)')).focus();
}, true);
// A question that is asked again stays where it is: in view, where the reader was elsewhere.
let known = document.getElementById('reasoning').dataset.turn;
watch('value', () => {
  const { turn, state } = document.getElementById('reasoning').dataset;
  if (turn === known) return;
  known = turn;
  if (state !== 'running') return;
  requestAnimationFrame(() => {
    const asked = document.getElementById(`vq-${turn}`);
    window.searchain.hold(asked ? turn : '');
    asked?.scrollIntoView({ block: 'nearest' });
  });
});
