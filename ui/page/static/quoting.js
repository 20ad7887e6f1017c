// Asks about a passage: a button at the words selected in a source, or a key, puts them as a quotation before the question.
const { made, t } = window.searchain;
const MOST = 600; // characters of a quotation
const box = document.querySelector('#question textarea');
const button = made('button', { type: 'button', id: 'ask-about', popover: 'manual' }, t('Ask about this'));
const elementOf = (node) => (node instanceof Element ? node : node?.parentElement);
const holderOf = (node) => elementOf(node)?.closest('#side :is(.passage, .quoted), .beside, #original .body');
const selected = () => {
  const chosen = getSelection();
  return !chosen.isCollapsed && holderOf(chosen.anchorNode) && holderOf(chosen.focusNode) ? chosen.toString() : '';
};
const ask = (passage) => {
  const words = passage.replace(/\s+/g, ' ').replace(/[“”]/g, '"').trim().slice(0, MOST);
  if (!words) return;
  document.querySelector('dialog[open]')?.close();
  window.searchain.closeSide();
  getSelection().removeAllRanges();
  window.searchain.write(box, `“${words}” ${box.value}`);
  box.focus();
  box.setSelectionRange(box.value.length, box.value.length);
};
// Without a selection the key takes the sentence that the focused source is cited for.
window.searchain.askAbout = () => ask(selected() || document.activeElement.closest('.card')?.querySelector('.quoted')?.textContent || '');
button.addEventListener('pointerdown', (event) => event.preventDefault()); // the words stay selected
button.addEventListener('click', window.searchain.askAbout);
document.addEventListener('selectionchange', () => {
  if (!selected()) return button.remove();
  const range = getSelection().getRangeAt(0);
  const holder = elementOf(range.startContainer).closest('dialog') || document.getElementById('columns');
  if (button.parentElement !== holder) holder.append(button);
  if (!button.matches(':popover-open')) button.showPopover();
  const { left, bottom } = [...range.getClientRects()].at(-1);
  Object.assign(button.style, { left: `${Math.min(left, innerWidth - button.offsetWidth - 8)}px`, top: `${Math.min(bottom + 6, innerHeight - button.offsetHeight - 8)}px` });
});
