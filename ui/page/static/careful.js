// The careful model in the settings form. The server says whether it is installed and who may download it.
const { call } = window.searchain;
const section = document.getElementById('careful');
const settings = document.getElementById('settings');
const button = section.querySelector('.get');
const bar = section.querySelector('progress');
const look = async (method = 'GET') => {
  const now = await call('careful', method).catch(() => null);
  section.hidden = !now;
  if (!now) return;
  const isFetching = now.state === 'fetching';
  section.querySelector('.state').textContent = now.said;
  button.hidden = isFetching || now.state === 'ready';
  bar.hidden = !isFetching;
  if (isFetching) {
    bar.value = now.share;
    if (settings.matches(':popover-open')) setTimeout(look, 1000);
  }
};
button.addEventListener('click', () => { button.hidden = true; look('POST') });
settings.addEventListener('toggle', (event) => { if (event.newState === 'open') look() });
