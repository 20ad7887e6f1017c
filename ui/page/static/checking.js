// The panel “Check a text”. It is not modal, so that the panel of documents can be opened above it.
const { call, now: reasoning, t } = window.searchain;
const sheet = document.getElementById('check');
sheet.remove(); // it is in the page only while it is open
const text = sheet.querySelector('textarea');
const say = (words) => { sheet.querySelector('.said').textContent = words };
let opener = null;
let before = null; // the turn shown when a text was sent; the text is kept until its check has begun
const close = () => { sheet.remove(); opener?.focus() };
window.searchain.check = (words) => {
  if (words) text.value = words;
  if (!sheet.isConnected) {
    opener = document.activeElement;
    document.getElementById('columns').append(sheet);
    sheet.showPopover();
  }
  sheet.querySelector('.against').textContent = window.searchain.against || '';
  say('');
  text.focus();
};
// Puts the text of a file into the panel; returns whether the panel is open.
window.searchain.checkFile = (file) => {
  if (!sheet.isConnected) return false;
  const read = async () => {
    say(t('Reading {name} …', { name: file.name }));
    text.value = (await call(`texts?name=${encodeURIComponent(file.name)}`, 'POST', file)).text;
    say('');
    text.focus();
  };
  read().catch((error) => say(error.message));
  return true;
};
sheet.querySelector('input[type=file]').addEventListener('change', ({ target }) => {
  window.searchain.checkFile(target.files[0]);
  target.value = '';
});
sheet.querySelector('form').addEventListener('submit', (event) => {
  event.preventDefault();
  if (!text.value.trim()) return say(t('Paste a text first.'));
  if (reasoning().state === 'running') return say(t('A reply is being written. Stop it, or wait until it has ended.'));
  before = reasoning().turn;
  trigger('check', { text: text.value });
  sheet.remove();
});
watch('value', () => {
  if (before === null || reasoning().turn === before) return;
  before = null;
  text.value = '';
});
sheet.addEventListener('keydown', (event) => {
  const isSent = event.key === 'Enter' && (event.ctrlKey || event.metaKey);
  if (isSent) sheet.querySelector('form').requestSubmit();
  else if (event.key === 'Escape' && !document.querySelector('#documents:popover-open')) close();
  else return;
  event.preventDefault();
});
document.addEventListener('click', ({ target }) => {
  if (target.closest?.('#check .leave')) close();
  else if (target.closest?.('#check .to-documents')) document.getElementById('documents-toggle')?.click();
  else if (target.closest?.('.to-check')) {
    if (target.closest('#nav:popover-open')) document.getElementById('nav').hidePopover();
    window.searchain.check();
  }
});
