// The menu Share: creates, lists and revokes links through the page's routes.
const { call, made, shown, copy, locale, t } = window.searchain;
const menu = document.querySelector('#share details');
if (menu) {
  const part = (selector) => menu.querySelector(selector);
  const say = (text) => { part('.said').textContent = text };
  const list = async () => {
    const links = await call('shares');
    part('h3').hidden = !links.length;
    part('ul').replaceChildren(...links.map((link) => {
      const begun = new Date(link.created).toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'short' });
      const number = link.turns === 1 ? t('1 question') : t('{number} questions', { number: link.turns });
      const about = t('{number}, shared {begun}, until {expires}', { number, begun, expires: link.expires });
      const end = made('button', { type: 'button', ariaLabel: t('Revoke the link to {title}, {about}', { title: link.title, about }) }, t('Revoke'));
      end.dataset.revoke = link.id;
      return made('li', {}, made('div', {}, made('bdi', {}, link.title), made('span', {}, about)), end);
    }));
  };
  const make = async () => {
    if (!shown()) return say(t('Ask a question first: there is nothing to share yet.'));
    const share = await call('shares', 'POST', { conversation: shown(), days: Number(part('select').value) });
    part('input').value = new URL(share.path, document.baseURI).href;
    part('.link').hidden = false;
    await list();
    await copy(part('input').value);
    say(t('Copied. It works until {expires}, and is shown only now.', { expires: share.expires }));
  };
  const revoke = async (id) => {
    await call(`shares/${id}`, 'DELETE');
    part('.link').hidden = true;
    await list();
    say(t('The link no longer works.'));
  };
  const reported = (action) => action.catch((error) => say(error.message));
  menu.addEventListener('toggle', () => { if (menu.open) reported(list()) });
  menu.addEventListener('click', (event) => {
    const { do: action, revoke: id } = event.target.closest('button')?.dataset || {};
    if (action === 'make') reported(make());
    if (action === 'copy') reported(copy(part('input').value).then(() => say(t('Copied.'))));
    if (id) reported(revoke(id));
  });
}
