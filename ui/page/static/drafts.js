// Keeps the text of the question box per conversation, in this tab, until it is asked. The page is reloaded when another
// conversation is opened, and after the server was away.
const { stored, write } = window.searchain;
const NAME = 'searchain-draft ';
const box = document.querySelector('#question textarea');
const here = () => NAME + (new URLSearchParams(location.search).get('c') || '');
const keep = () => stored((store) => (box.value ? store.setItem(here(), box.value) : store.removeItem(here())));
let place = here();
const draft = stored((store) => store.getItem(place));
if (draft && !box.value) write(box, draft);
box.addEventListener('input', keep);
// a question began a conversation: its address is new, and the text in the box belongs to it
watch('value', () => {
  if (here() === place) return;
  stored((store) => store.removeItem(place));
  place = here();
  keep();
});
document.addEventListener('click', (event) => {
  if (!event.target.closest?.('.sign-out')) return;
  stored((store) => Object.keys(store).filter((name) => name.startsWith('searchain-')).forEach((name) => store.removeItem(name)));
}, true);
