// Keeps the text of the question box per conversation, in this tab, until it is asked. The page is reloaded when another
// conversation is opened, and after the server was away.
const NAME = 'searchain-draft ';
const box = document.querySelector('#question textarea');
const here = () => NAME + (new URLSearchParams(location.search).get('c') || '');
const kept = (act) => { try { return act(sessionStorage) } catch { return null /* this browser stores nothing */ } };
const keep = () => kept((store) => (box.value ? store.setItem(here(), box.value) : store.removeItem(here())));
let place = here();
const draft = kept((store) => store.getItem(place));
if (draft && !box.value) {
  box.value = draft;
  box.dispatchEvent(new Event('input', { bubbles: true }));
}
box.addEventListener('input', keep);
// a question began a conversation: its address is new, and the text in the box belongs to it
watch('value', () => {
  if (here() === place) return;
  kept((store) => store.removeItem(place));
  place = here();
  keep();
});
document.addEventListener('click', (event) => {
  if (!event.target.closest?.('.sign-out')) return;
  kept((store) => Object.keys(store).filter((name) => name.startsWith('searchain-')).forEach((name) => store.removeItem(name)));
}, true);
