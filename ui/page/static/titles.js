// The dialog with titles to ask about; the server writes the list.
const { call, t } = window.searchain;
const dialog = document.getElementById('titles');
document.documentElement.classList.toggle('has-titles', Boolean(dialog));
if (dialog) {
  const [words, said, list, more] = ['input', '.count', 'ul', '.more'].map((one) => dialog.querySelector(one));
  let asked = 0;
  const fill = async (isMore = false) => {
    const mine = ++asked;
    const from = isMore ? list.children.length : 0;
    list.ariaBusy = 'true';
    said.textContent = t('Loading the titles…');
    const found = await call(`titles?${new URLSearchParams({ words: words.value, from })}`).catch((error) => ({ said: error.message }));
    if (mine !== asked) return;
    if ('html' in found) {
      if (!isMore) list.replaceChildren();
      list.insertAdjacentHTML('beforeend', found.html);
      more.hidden = !found.is_more;
      if (isMore) list.children[from]?.firstChild.focus();
    }
    said.textContent = found.said;
    list.ariaBusy = 'false';
  };
  let typing;
  words.addEventListener('input', () => { clearTimeout(typing); typing = setTimeout(fill, 150) });
  more.addEventListener('click', () => fill(true));
  list.addEventListener('click', ({ target }) => {
    if (!target.value) return;
    const box = document.querySelector('#question textarea');
    dialog.close();
    window.searchain.write(box, target.value);
    box.select();
  });
  document.addEventListener('click', (event) => {
    if (!event.target.closest?.('.to-titles')) return;
    dialog.showModal();
    fill();
  });
}
