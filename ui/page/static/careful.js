// The careful model, in the settings form and, while it is fetched behind the page, in the header. The server says whether
// it is installed and who may download it.
const { call } = window.searchain;
const section = document.getElementById('careful');
const settings = document.getElementById('settings');
const line = document.getElementById('fetching');
const button = section.querySelector('.get');
const stop = section.querySelector('.stop');
let timer;
const look = async (method = 'GET') => {
  const now = await call('careful', method).catch(() => null);
  section.hidden = !now;
  const isFetching = now?.state === 'fetching';
  if (line) line.hidden = !isFetching;
  if (!now) return;
  section.querySelector('.state').textContent = now.said;
  button.hidden = isFetching || now.state === 'ready';
  stop.hidden = !isFetching;
  document.querySelectorAll('#careful progress, #fetching progress').forEach((bar) => { bar.hidden = !isFetching; bar.value = now.share || 0 });
  if (isFetching && line) Object.assign(line.querySelector('.said'), { textContent: now.short, title: now.said });
  if (isFetching && (line || settings.matches(':popover-open'))) { clearTimeout(timer); timer = setTimeout(look, 1000) }
};
button.addEventListener('click', () => { button.hidden = true; look('POST') });
for (const one of [stop, line?.querySelector('.stop')]) one?.addEventListener('click', () => look('DELETE'));
settings.addEventListener('toggle', (event) => { if (event.newState === 'open') look() });
if (line) look();
