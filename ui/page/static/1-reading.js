// The panels beside the chat show one turn: the one that is read. That is the newest, the one scrolled to, or the one
// of which something was chosen. On a narrow page they are a sheet above the lower edge.
const log = document.querySelector('#chat [role=log]');
const side = document.getElementById('side');
const shown = new CSSStyleSheet();
document.adoptedStyleSheets = [...document.adoptedStyleSheets, shown];
const ENOUGH = 0.4; // of the height of the chat: a question above it is being read
let reading = '';
const read = (turn) => {
  if (!turn || turn === reading) return;
  reading = turn;
  shown.replaceSync(`.of-turn { display: none } .of-turn[data-turn="${CSS.escape(turn)}"] { display: block }`);
};
// What is asked again in its place, or paged to, is read until the reader scrolls: the scrolling that its height causes
// leads nowhere.
let held = '';
const hold = (turn) => {
  held = turn;
  read(turn);
};
for (const name of ['wheel', 'touchmove', 'pointerdown', 'keydown']) log.addEventListener(name, () => { held = '' }, { passive: true });
const look = () => {
  if (held) return;
  const questions = [...log.querySelectorAll('.asked .acts')].filter((one) => one.checkVisibility());
  const { top, height } = log.getBoundingClientRect();
  const isAtEnd = log.scrollHeight - log.clientHeight - log.scrollTop < 40;
  const above = isAtEnd ? questions : questions.filter((one) => one.closest('.asked').getBoundingClientRect().top < top + ENOUGH * height);
  read((above.at(-1) || questions[0])?.id.split('-')[1]);
};
log.addEventListener('scroll', look, { passive: true });
let newest = '';
watch('value', () => {
  const { turn } = document.getElementById('reasoning').dataset;
  if (turn === newest) return;
  newest = turn;
  read(turn);
});
read(document.getElementById('reasoning').dataset.turn);
document.addEventListener('click', (event) => {
  const block = event.target.closest?.('#chat .answer-block');
  if (block) read(block.id.split('-')[1]);
}, true);

// the sheet
const closeSide = () => side.classList.remove('has-sheet');
const isNarrow = () => matchMedia('(max-width: 860px)').matches;
window.searchain.read = read;
window.searchain.hold = hold;
window.searchain.openSide = () => { if (isNarrow()) side.classList.add('has-sheet') };
window.searchain.closeSide = closeSide;
document.addEventListener('click', (event) => {
  if (event.target.closest?.('.close-side')) closeSide();
  else if (side.classList.contains('has-sheet') && !side.contains(event.target)
    && !event.target.closest?.('a.cite, .to-side, dialog')) closeSide();
});
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && !event.target.closest?.('.card') && !document.querySelector('dialog[open]')) closeSide();
});
