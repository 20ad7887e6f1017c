// Who is here: their name, the link to the desk for those who may annotate, and whether visitors see share and export.
// A sign-out or another sign-in in another tab is noticed with each request, and when this tab is shown again.
const { made, shown, t } = window.searchain;
const person = document.querySelector('#nav .person');
const desk = document.getElementById('annotate');
const theme = new URLSearchParams(location.search).get('__theme');
if (desk && theme) desk.search = new URLSearchParams({ __theme: theme });  // the desk opens in the same theme
const menus = document.querySelector('#share [data-has-visitors="1"]') ? ['share', 'export'].map((id) => document.getElementById(id)).filter(Boolean) : [];
menus.forEach((one) => { one.style.display = 'none' });
let name; // '' for a visitor
const look = async (isBack) => {
  const answer = await fetch('person').catch(() => null);
  if (!answer || !(answer.ok || answer.status === 401)) return;
  const now = answer.ok ? await answer.json() : { name: null };
  if (name === undefined && now.name !== null) {
    if (desk) desk.hidden = !now.annotates;
    menus.forEach((one) => { one.style.display = now.name ? '' : 'none' });
    if (person) {
      person.hidden = false;
      person.querySelector('.name').textContent = now.name;
      person.querySelector('.sign-in').hidden = Boolean(now.name);
      person.querySelector('.sign-out').hidden = !now.name;
    }
  }
  name ??= now.name;
  if (isBack && now.name !== null && now.name !== name) return location.reload();
  document.getElementById('signed-out')?.remove();
  if (!name || now.name === name) return;
  const link = made('a', { href: `sign-in?${new URLSearchParams(shown() && { c: shown() })}` }, t('Sign in again'));
  document.getElementById('compose').append(made('p', { id: 'signed-out', role: 'alert' }, t('You are no longer signed in as {name}.', { name }), ' ', link));
};
if (person) {
  person.querySelector('.sign-out').addEventListener('click', async () => {
    await fetch('sign-out', { method: 'POST' }).catch(() => null);
    location.assign('sign-in');
  });
  new PerformanceObserver((list) => {
    if (list.getEntries().some((entry) => entry.name.includes('/gradio_api/queue/join'))) look(false);
  }).observe({ type: 'resource' });
  document.addEventListener('visibilitychange', () => { if (!document.hidden) look(true) });
  window.addEventListener('focus', () => look(true));
}
if (person || desk?.hidden || menus.length) look(false);
