// Adds what Gradio's markup lacks for screen readers: a list whose items are buttons.
const label = () => {
  document.querySelectorAll('#chat .examples[role=list]').forEach((list) => {
    list.setAttribute('role', 'group');
    list.ariaLabel = window.searchain.t('Examples');
  });
};
label();
new MutationObserver(label).observe(document.getElementById('chat'), { subtree: true, childList: true });
