// Elements from values. Text from outside becomes text nodes, never markup.

// What has no shape, or would turn the text around it, is shown as a sign of its own: one letter for one letter, so
// that offsets stay.
const UNSEEN = /[\u0080-\u009f\u202a-\u202e\u2066-\u2069]/g;
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g;
export const shown = (text) => text.replace(UNSEEN, '\ufffd')
  .replace(CONTROL, (one) => String.fromCharCode(0x2400 + one.charCodeAt(0))).replaceAll('\u007f', '\u2421');

// make('button', { class: 'x', onclick: act, hidden: false }, 'text', element, null)
export function make(tag, of = {}, ...inner) {
  const one = document.createElement(tag);
  for (const [name, value] of Object.entries(of)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) one.addEventListener(name.slice(2), value);
    else one.setAttribute(name, value === true ? '' : shown(String(value)));
  }
  one.append(...inner.flat(Infinity).filter((part) => part !== null && part !== undefined && part !== false)
    .map((part) => (part instanceof Node ? part : shown(String(part)))));
  return one;
}

export const part = (id) => document.getElementById(id);

// Where the person selected text inside `container`, in code points of its text; null without a selection there.
export function selected(container) {
  const selection = getSelection();
  if (!selection.rangeCount || selection.isCollapsed) return null;
  const range = selection.getRangeAt(0);
  if (!container.contains(range.commonAncestorContainer)) return null;
  const before = document.createRange();
  before.setStart(container, 0);
  before.setEnd(range.startContainer, range.startOffset);
  const start = [...before.toString()].length;
  return { start, end: start + [...range.toString()].length };
}

export const isTyping = (target) => target instanceof Element
  && Boolean(target.closest('input:not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable]'));

export function time(seconds) {
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}
