// The menu Share: links are made, listed and revoked by the routes beside the page.
const menu = document.querySelector('#share details');
if (menu) {
  const part = (selector) => menu.querySelector(selector);
  const say = (text) => { part('.said').textContent = text };
  const made = (tag, text, of = {}) => Object.assign(document.createElement(tag), { textContent: text }, of);
  const call = async (path, options) => {
    const answer = await fetch(path, options).catch(() => null);
    if (answer?.ok) return answer;
    say(answer ? await answer.text() : 'The page’s server does not answer.');
    return null;
  };
  const list = async () => {
    const answer = await call('shares');
    if (!answer) return;
    const links = await answer.json();
    part('h3').hidden = !links.length;
    part('ul').replaceChildren(...links.map((link) => {
      const item = made('li', '');
      const end = made('button', 'Revoke', { type: 'button', ariaLabel: `Revoke the link to ${link.title}` });
      end.dataset.revoke = link.id;
      item.append(made('bdi', link.title), made('span', ` until ${link.expires} `), end);
      return item;
    }));
  };
  const make = async () => {
    const conversation = document.getElementById('reasoning')?.dataset.conversation;
    if (!conversation) return say('Ask a question first: there is nothing to share yet.');
    const answer = await call('shares', {
      method: 'POST', body: JSON.stringify({ conversation, days: Number(part('select').value) }) });
    if (!answer) return;
    const share = await answer.json();
    part('input').value = new URL(share.path, document.baseURI).href;
    part('.link').hidden = false;
    say(`It works until ${share.expires}, and is shown only now: copy it.`);
    await list();
  };
  const copy = async () => {
    part('input').select();
    try {
      await navigator.clipboard.writeText(part('input').value);
    } catch {
      document.execCommand('copy'); // a page without https has no clipboard
    }
    say('Copied.');
  };
  const revoke = async (id) => {
    if (await call(`shares/${id}`, { method: 'DELETE' })) {
      part('.link').hidden = true;
      say('The link works no more.');
      await list();
    }
  };
  menu.addEventListener('toggle', () => { if (menu.open) list() });
  menu.addEventListener('click', (event) => {
    const { do: action, revoke: id } = event.target.closest('button')?.dataset || {};
    if (action === 'make') make();
    if (action === 'copy') copy();
    if (id) revoke(id);
  });
  document.addEventListener('click', (event) => { if (!menu.contains(event.target)) menu.open = false });
  menu.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    menu.open = false;
    part('summary').focus();
  });
  // visitors may chat and nothing else; the server says who is one
  if (menu.dataset.hasVisitors === '1') {
    const chosen = ['share', 'export'].map((id) => document.getElementById(id)).filter(Boolean);
    chosen.forEach((one) => { one.style.display = 'none' });
    fetch('shares').then((answer) => { if (answer.ok) chosen.forEach((one) => { one.style.display = '' }) });
  }
}
