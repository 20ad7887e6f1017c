// The panels beside the chat show one turn, the one being read: the newest, the one scrolled to, or the one in which
// something was clicked. On a narrow page the panels are a sheet at the lower edge.
const log = document.querySelector('#chat [role=log]');
const side = document.getElementById('side');
const shown = window.searchain.sheet();
const ENOUGH = 0.4; // share of the chat's height: the last question above this line is being read
let reading = '';
const read = (turn) => {
  if (!turn || turn === reading) return;
  reading = turn;
  const one = `.of-turn[data-turn="${CSS.escape(turn)}"]`;
  shown.replaceSync(`.of-turn { display: none } ${one} { display: block }`);
};
// A turn that was asked again in place, paged to, or whose source was opened counts as read until the reader scrolls.
// Scrolling by the page itself is ignored.
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
window.searchain.onChange(({ turn }) => turn, ({ turn }) => read(turn));
read(window.searchain.now().turn);
document.addEventListener('click', (event) => {
  const block = event.target.closest?.('#chat .answer-block');
  if (block) read(block.id.split('-')[1]);
}, true);

// the sheet
const closeSide = () => side.classList.remove('has-sheet');
const isNarrow = () => matchMedia('(max-width: 860px)').matches;
window.searchain.read = read;
window.searchain.hold = hold;
window.searchain.openSide = () => {
  if (isNarrow()) side.classList.add('has-sheet');
  else window.searchain.unfoldSide();
};
window.searchain.closeSide = closeSide;
document.addEventListener('click', (event) => {
  if (event.target.closest?.('.close-side')) closeSide();
  else if (side.classList.contains('has-sheet') && !side.contains(event.target)
    && !event.target.closest?.('a.cite, .to-side, dialog')) closeSide();
});
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && !event.target.closest?.('.card') && !document.querySelector('dialog[open]')) closeSide();
});
