// A question that was asked again is shown once; ‹ and › switch between its replies. The newest reply is shown until
// another one is chosen. A style sheet with ids does this, because Gradio rewrites messages.
const chosen = new Map(); // newest version of a question → the version that is shown
const sheet = window.searchain.sheet();
const turnOf = (asked) => asked.id.slice(3);
// The choice is valid while `newest` is the newest: a later version is shown at once.
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
// A question that is asked again is the one that is read.
window.searchain.onChange(({ turn }) => turn, ({ turn, state }) => {
  if (state === 'running') requestAnimationFrame(() => window.searchain.hold(document.getElementById(`vq-${turn}`) ? turn : ''));
}, window.searchain.now().turn);
