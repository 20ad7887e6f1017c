// A dialog with a searchable list of titles to ask about.
const { call, locale, made, t } = window.searchain;
const elsewhere = t('What is searched');
const known = document.querySelector('#knows .what')?.textContent;
const box = document.querySelector('#question textarea');
const open = () => {
  const words = made('input', { type: 'search', placeholder: t('Search the titles'), ariaLabel: t('Search the titles'), maxLength: 200 });
  const said = made('p', { className: 'count' });
  said.setAttribute('role', 'status');
  const list = made('ul', { className: 'titles' });
  const more = made('button', { type: 'button', className: 'act', hidden: true }, t('Show more'));
  const close = made('button', { type: 'button', className: 'act is-main leave' }, t('Close'));
  const dialog = window.searchain.dialog(t('What it knows'), { id: 'titles' },
    made('p', {}, t('{what}, in English. Choose a title to ask about it.', { what: known || elsewhere })),
    words, said, list, made('p', { className: 'foot' }, more, close));
  let asked = 0;
  const fill = async (isMore = false) => {
    const mine = ++asked;
    const from = isMore ? list.children.length : 0;
    list.ariaBusy = 'true';
    said.textContent = t('Loading the titles…');
    try {
      const found = await call(`titles?${new URLSearchParams({ words: words.value, from })}`);
      if (mine !== asked) return;
      const items = found.titles.map(({ title, question }) => {
        const item = made('li', {}, made('button', { type: 'button' }, title));
        item.dataset.question = question;
        return item;
      });
      if (isMore) list.append(...items);
      else list.replaceChildren(...items);
      more.hidden = !found.is_more;
      said.textContent = found.found === found.all ? t('{all} titles', { all: found.all.toLocaleString(locale) })
        : t('{found} of {all} titles', { found: found.found.toLocaleString(locale), all: found.all.toLocaleString(locale) });
      if (isMore) items[0]?.firstChild.focus();
    } catch (error) {
      if (mine === asked) said.textContent = error.message;
    }
    if (mine === asked) list.ariaBusy = 'false';
  };
  let typing;
  words.addEventListener('input', () => { clearTimeout(typing); typing = setTimeout(fill, 150) });
  more.addEventListener('click', () => fill(true));
  list.addEventListener('click', (event) => {
    const { question } = event.target.closest('li')?.dataset || {};
    if (!question) return;
    dialog.close();
    box.value = question;
    box.dispatchEvent(new Event('input', { bubbles: true }));
    box.focus();
    box.select();
  });
  words.focus();
  fill();
};
document.addEventListener('click', (event) => { if (event.target.closest?.('.to-titles')) open() });
document.documentElement.classList.toggle('has-titles', Boolean(document.querySelector('#knows .to-titles')));
