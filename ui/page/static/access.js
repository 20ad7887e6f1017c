// What Gradio's own markup lacks for screen readers and the keyboard: a button of its own, without a name, inside the
// button that folds the steps; and a list whose items are buttons.
const mend = () => {
  document.querySelectorAll('#chat .thought-group [role=button] button:not([inert])').forEach((inner) => { inner.inert = true });
  document.querySelectorAll('#chat .examples[role=list]').forEach((list) => {
    list.setAttribute('role', 'group');
    list.ariaLabel = 'Examples';
  });
};
mend();
new MutationObserver(mend).observe(document.getElementById('chat'), { subtree: true, childList: true });
