// Notices a sign-out or another sign-in in another tab: checks with each request, and when this tab is shown again.
const { made, shown, t } = window.searchain;
const compose = document.getElementById('compose');
let name; // '' for a visitor
const look = async (isBack) => {
  const answer = await fetch('person').catch(() => null);
  if (!answer || !(answer.ok || answer.status === 401)) return;
  const now = answer.ok ? (await answer.json()).name : null;
  name ??= now;
  if (isBack && now !== null && now !== name) return location.reload();
  document.getElementById('signed-out')?.remove();
  if (!name || now === name) return;
  const link = made('a', { href: `sign-in?${new URLSearchParams(shown() && { c: shown() })}` }, t('Sign in again'));
  compose.append(made('p', { id: 'signed-out', role: 'alert' }, t('You are no longer signed in as {name}.', { name }), ' ', link));
};
if (document.querySelector('#nav .person')) {
  new PerformanceObserver((list) => {
    if (list.getEntries().some((entry) => entry.name.includes('/gradio_api/queue/join'))) look(false);
  }).observe({ type: 'resource' });
  document.addEventListener('visibilitychange', () => { if (!document.hidden) look(true) });
  window.addEventListener('focus', () => look(true));
  look(false);
}
