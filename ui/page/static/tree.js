// Gives role=tree its keys: arrows, Home, End, type-ahead and one tab stop. Enter or a click shows a node's details.
// Gradio rewrites the tree during a run: the reader's changes are kept here by id and restored each time.
const at = new Map();  // tree → its tab stop
const shown = new Set();  // nodes whose details are shown
const folded = new Set();  // nodes whose children are hidden
let focused = null;
let typed = '';
let typedAt = 0;
const levelOf = (item) => Number(item.ariaLevel);
const itemsOf = (tree) => [...tree.children];
const isSeen = (item) => !item.hidden;
const put = (holder, name, value) => holder.getAttribute(name) !== value && holder.setAttribute(name, value);

const restore = () => {
  for (const tree of document.querySelectorAll('#reasoning .tree')) {
    const items = itemsOf(tree);
    const stop = items.find((item) => item.id === at.get(tree.id)) || items[0];
    let hiddenFrom = Infinity;
    for (const item of items) {
      if (levelOf(item) <= hiddenFrom) hiddenFrom = Infinity;
      const isHidden = levelOf(item) > hiddenFrom;
      if (item.hidden !== isHidden) item.hidden = isHidden;
      const isFolded = item.ariaExpanded !== null && folded.has(item.id);
      if (isFolded && !isHidden) hiddenFrom = levelOf(item);
      if (item.ariaExpanded !== null) put(item, 'aria-expanded', String(!isFolded));
      const isOpen = shown.has(item.id);
      if (item.classList.contains('is-open') !== isOpen) item.classList.toggle('is-open');
      put(item.querySelector('.to-details'), 'aria-expanded', String(isOpen));
      put(item, 'tabindex', item === stop ? '0' : '-1');
    }
    const active = document.activeElement;
    if (items.includes(active) && active.id !== focused) document.getElementById(focused)?.focus({ preventScroll: true });
  }
};

const parentOf = (items, item) => items.slice(0, items.indexOf(item)).findLast((other) => levelOf(other) < levelOf(item));
const fold = (item, isFolded) => {
  if (isFolded) folded.add(item.id); else folded.delete(item.id);
  restore();
};
const follow = (tree, item) => {
  at.set(tree.id, item.id);
  restore();
  item.focus();
};
const typeAhead = (items, item, key) => {
  if (Date.now() - typedAt > 700) typed = '';
  typed += key.toLowerCase();
  typedAt = Date.now();
  const word = [...typed].every((letter) => letter === typed[0]) ? typed[0] : typed;  // the same letter again: go to the next match
  const from = items.indexOf(item) + (word.length === 1 ? 1 : 0);
  const rest = [...items.slice(from), ...items.slice(0, from)];
  return rest.find((other) => other.querySelector('.query').textContent.trim().toLowerCase().startsWith(word));
};
const step = (items, item, key) => {
  const place = items.indexOf(item);
  if (key.length > 1) typed = '';
  switch (key) {
    case 'ArrowDown': return items[place + 1];
    case 'ArrowUp': return items[place - 1];
    case 'Home': return items[0];
    case 'End': return items.at(-1);
    case 'ArrowRight': return levelOf(items[place + 1] ?? item) > levelOf(item) ? items[place + 1] : null;
    case 'ArrowLeft': return parentOf(items, item);
  }
  return key.length === 1 ? typeAhead(items, item, key) : null;
};
const toggleDetails = (item) => {
  if (!shown.delete(item.id)) shown.add(item.id);
  restore();
};

document.addEventListener('keydown', (event) => {
  const item = event.target.closest?.('#reasoning [role=treeitem]');
  if (!item || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === 'Escape' && event.target !== item) return item.focus();
  const isTyping = event.key === ' ' && typed && Date.now() - typedAt < 700;
  if ((event.key === 'Enter' || event.key === ' ') && !isTyping) {
    if (event.target !== item) return;
    toggleDetails(item);
  } else if (event.key === 'ArrowRight' && item.ariaExpanded === 'false') {
    fold(item, false);
  } else if (event.key === 'ArrowLeft' && item.ariaExpanded === 'true') {
    fold(item, true);
  } else {
    const next = step(itemsOf(item.parentElement).filter(isSeen), item, event.key);
    if (!next) return;
    follow(item.parentElement, next);
  }
  event.preventDefault();
}, true);
document.addEventListener('click', (event) => {
  const item = event.target.closest?.('#reasoning [role=treeitem]');
  if (!item || event.target.closest('a, .details') || getSelection().type === 'Range') return;
  at.set(item.parentElement.id, item.id);
  if (event.target.closest('.twig')) fold(item, item.ariaExpanded === 'true');
  else toggleDetails(item);
});
document.addEventListener('focusin', (event) => {
  const item = event.target.closest?.('#reasoning [role=treeitem]');
  if (event.target === item) {
    focused = item.id;
    at.set(item.parentElement.id, item.id);
    restore();
  }
});
new MutationObserver(restore).observe(document.getElementById('reasoning-panel'),
  { subtree: true, childList: true, attributes: true, attributeFilter: ['id', 'class', 'tabindex', 'aria-expanded', 'hidden'] });
