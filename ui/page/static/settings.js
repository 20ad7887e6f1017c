// The settings of a conversation: stored by the server with the next question, loaded when a conversation is opened.
const { call, onChange, shown, t } = window.searchain;
const form = document.getElementById('settings');
const fields = [...form.elements].filter((field) => field.name);
let isChanged = false;
const count = () => {
  const number = fields.filter((field) => field.value !== '' && field.type !== 'hidden').length;
  const badge = document.querySelector('#settings-toggle .changed');
  badge.hidden = !number;
  badge.textContent = number;
  badge.setAttribute('aria-label', t('{number} changed', { number }));
};
window.searchain.chosen = () => (!isChanged ? '' : JSON.stringify(Object.fromEntries(fields.map((field) => [
  field.name, field.value === '' ? null : field.type === 'number' ? Number(field.value)
    : field.type === 'hidden' ? JSON.parse(field.value) : field.value]))));
const fill = (values) => {
  fields.forEach((field) => {
    const value = values[field.name] ?? '';
    field.value = field.type === 'hidden' && value !== '' ? JSON.stringify(value) : value;
  });
  count();
  document.dispatchEvent(new Event('settings-filled'));
};
form.addEventListener('input', () => { isChanged = true; count() });
form.addEventListener('submit', (event) => { event.preventDefault(); form.hidePopover() });
form.querySelector('.close').addEventListener('click', () => { if (form.reportValidity()) form.hidePopover() });
form.querySelector('.reset').addEventListener('click', () => { fill({}); isChanged = true });
const more = form.querySelector('.details');
form.addEventListener('beforetoggle', () => {
  if (fields.some((field) => more.contains(field) && (field.value !== '' || !field.validity.valid))) more.open = true;
});
// A setting out of its range stops the question before Gradio gets it; the form opens at that setting.
const unfit = (event) => {
  const isAsking = event.type === 'click' ? event.target.closest?.('#ask, #chat .example, #chat :is(.retry, .edit, .compare)')
    : event.key === 'Enter' && !event.shiftKey && event.target.closest?.('#question');
  if (!isAsking || form.checkValidity()) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  form.showPopover();
  form.reportValidity();
};
for (const name of ['click', 'keydown']) addEventListener(name, unfit, true);
form.addEventListener('toggle', (event) => {
  if (event.newState === 'open') (fields.find((field) => !field.validity.valid) || fields[0]).focus();
});
onChange(shown, async ({ conversation }) => {
  if (!conversation || isChanged) return; // what was changed is sent with the question that begins this conversation
  const values = await call(`conversations/${encodeURIComponent(conversation)}/settings`).catch(() => null);
  if (values && !isChanged && shown() === conversation) fill(values);
});
