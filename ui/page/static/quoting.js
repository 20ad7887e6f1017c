// Asks about a passage: a button at the words selected in a source, or a key, puts them as a quotation before the question.
const { made, t } = window.searchain;
const MOST = 600; // characters of a quotation
const box = document.querySelector('#question textarea');
const button = made('button', { type: 'button', id: 'ask-about', popover: 'manual' }, t('Ask about this'));
const HOLDERS = '#side :is(.passage, .quoted), table.beside, #original .body';
// Returns what is selected of a source; null if that is nothing, or of several. A triple click selects more than it shows.
const selected = () => {
  if (getSelection().isCollapsed) return null;
  const range = getSelection().getRangeAt(0);
  const clipped = (holder) => {
    const part = new Range();
    part.selectNodeContents(holder);
    if (range.compareBoundaryPoints(Range.START_TO_START, part) > 0) part.setStart(range.startContainer, range.startOffset);
    if (range.compareBoundaryPoints(Range.END_TO_END, part) < 0) part.setEnd(range.endContainer, range.endOffset);
    return part;
  };
  const holders = [...(document.querySelector('dialog[open]') || document).querySelectorAll(HOLDERS)];
  const parts = holders.filter((one) => range.intersectsNode(one)).map(clipped).filter((part) => part.toString().trim());
  return parts.length === 1 ? parts[0] : null;
};
const textOf = (range) => {
  getSelection().removeAllRanges();
  getSelection().addRange(range);
  return getSelection().toString(); // what is folded is not in it
};
const cut = (text) => {
  const points = [...text];
  return points.length > MOST ? `${points.slice(0, MOST).join('').replace(/ \S{0,40}$/, '')}…` : text;
};
const ask = (passage) => {
  const plain = passage.replace(/[\p{Cs}\p{Bidi_C}]/gu, '').replace(/[\s\p{Cc}]+/gu, ' ').replace(/[“”]/g, '"').trim();
  if (!plain) return;
  document.querySelector('dialog[open]')?.close();
  window.searchain.closeSide();
  getSelection().removeAllRanges();
  window.searchain.write(box, `“${cut(plain)}” ${box.value}`);
  box.focus();
  box.setSelectionRange(box.value.length, box.value.length);
};
// Without a selection the key takes the sentence that the focused source is cited for.
window.searchain.askAbout = () => {
  const range = selected();
  ask(range ? textOf(range) : document.activeElement.closest('.card')?.querySelector('.quoted')?.textContent || '');
};
button.addEventListener('pointerdown', (event) => event.preventDefault()); // the words stay selected
button.addEventListener('click', window.searchain.askAbout);
document.addEventListener('selectionchange', () => {
  const range = selected();
  if (!range) return button.remove();
  const holder = document.querySelector('dialog[open]') || document.getElementById('columns');
  if (button.parentElement !== holder) holder.append(button);
  if (!button.matches(':popover-open')) button.showPopover();
  const { left, bottom } = [...range.getClientRects()].at(-1);
  Object.assign(button.style, { left: `${Math.min(left, innerWidth - button.offsetWidth - 8)}px`, top: `${Math.min(bottom + 6, innerHeight - button.offsetHeight - 8)}px` });
});
