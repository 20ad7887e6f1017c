// Says in the header how the encyclopedia is searched while its index is built.
const line = document.getElementById('searching');
const said = line?.querySelector('.said');
const bar = line?.querySelector('progress');
const look = async () => {
  const now = await window.searchain.call('searching').catch(() => null);
  if (now) {
    line.dataset.state = now.state;
    if (said.textContent !== now.said) said.textContent = line.title = now.said; // else it is read aloud again
    line.hidden = !now.said;
    bar.hidden = !now.share;
    bar.value = now.share || 0;
  }
  if (!now || now.state === 'building') setTimeout(look, 3000);
};
if (line) look();
