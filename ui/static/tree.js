// role=tree promises arrow keys and one tab stop.
const step = (item, key) => {
  const items = [...item.parentElement.children];
  const at = items.indexOf(item);
  const level = Number(item.ariaLevel);
  if (key === 'ArrowDown') return items[at + 1];
  if (key === 'ArrowUp') return items[at - 1];
  if (key === 'Home') return items[0];
  if (key === 'End') return items.at(-1);
  if (key === 'ArrowRight') return Number(items[at + 1]?.ariaLevel) > level ? items[at + 1] : null;
  if (key === 'ArrowLeft') return items.slice(0, at).reverse().find((other) => Number(other.ariaLevel) < level);
};
document.addEventListener('keydown', (event) => {
  const item = event.target.closest?.('[role=treeitem]');
  const next = item && step(item, event.key);
  if (next) {
    event.preventDefault();
    item.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  }
}, true);
