// Own documents: add files, show the state of each, and tick the collections to search.
const { call, made, stored, t, write } = window.searchain;
const panel = document.getElementById('documents');
if (panel) {
  document.documentElement.style.setProperty('--drop', JSON.stringify(panel.dataset.drop));
  const settings = document.getElementById('settings');
  const [kept, beside] = [settings.elements.collections, settings.elements.beside];
  const part = (selector) => panel.querySelector(selector);
  const say = (text) => { part('.said').textContent = text };
  const chosen = () => JSON.parse(kept.value || '[]');
  const MANY = 20; // from so many files on they can be searched by name
  let shown = [];
  let timer = null;
  const badge = () => {
    const mark = document.querySelector('#documents-toggle .changed');
    const number = shown.filter((one) => chosen().includes(one.id)).flatMap((one) => one.documents).length;
    mark.hidden = !number;
    mark.textContent = number;
    mark.setAttribute('aria-label', t('{number} searched', { number }));
    part('.besides').checked = beside.value === 'true';
    tell();
  };
  // The header, the empty page and the question box name what is searched; the examples are about the encyclopedia.
  const sized = ({ name, documents: { length } }) => (length === 1 ? t('“{name}” (1 document)', { name })
    : t('“{name}” ({number} documents)', { name, number: length }));
  const box = document.querySelector('#question textarea');
  const usual = { ask: box.placeholder, what: document.querySelector('#knows .what')?.textContent || '' };
  const tellAt = (selector, text) => {
    const one = document.querySelector(selector);
    if (one && one.textContent !== text) one.textContent = text;
  };
  const tell = () => {
    const names = shown.filter((one) => chosen().includes(one.id)).map(sized).join(', ');
    const own = t('your documents {names}', { names });
    const isAlone = Boolean(names) && beside.value !== 'true';
    const both = usual.what ? t('{own} and {else}', { own, else: usual.what }) : own;
    const what = isAlone ? own : names ? both : usual.what;
    document.documentElement.classList.toggle('is-own-alone', isAlone);
    tellAt('#knows .what', what);
    window.searchain.against = what && t('Held against {knows}.', { knows: what });
    tellAt('#check .against', window.searchain.against);
    tellAt('#chat .welcome .where', what && t('The answer is looked up in {knows}.', { knows: what }));
    box.placeholder = isAlone ? t('Ask your documents') : usual.ask;
  };
  // A new conversation begins with what was ticked last in this tab.
  const LAST = 'searchain-documents';
  const remember = () => stored((store) => store.setItem(LAST, JSON.stringify([chosen(), beside.value])));
  const choose = (ids) => {
    write(kept, ids.length ? JSON.stringify(ids) : '');
    remember();
    badge();
  };
  const restore = async () => {
    const [ids, isBeside] = JSON.parse(stored((store) => store.getItem(LAST)) || '[[]]');
    if (!ids.length || new URLSearchParams(location.search).get('c')) return;
    await list();
    const known = ids.filter((id) => shown.some((one) => one.id === id));
    if (!known.length || chosen().length) return;
    beside.value = isBeside;
    choose(known);
    draw();
  };
  const decide = (id, isAllowed) => call(`collections/${id}`, 'PATCH', { is_allowed: isAllowed });
  const askOnce = async (id) => {
    const { name, host, elsewhere, may_change } = shown.find((one) => one.id === id) || {};
    if (!host || elsewhere !== 'unknown' || !may_change) return;
    await window.searchain.question({ title: t('May passages of “{name}” be sent to the language model at {host}?', { name, host }),
      about: t('Otherwise questions about these documents are refused. You can change this in the panel “Your documents”.'),
      action: t('Allow'), act: () => decide(id, true), other: { action: t('Refuse'), act: () => decide(id, false) } });
    await list();
  };
  // Shows replies one after the other, to be judged; they give a collection a tick of its own.
  const judge = async (id) => {
    const { turn, question, html } = await call(`collections/${id}/judging`);
    if (!turn) return say(t('Every rated reply over this collection is judged; ask more questions.'));
    const dialog = window.searchain.dialog(question, { className: 'ask wide' }, made('div', { innerHTML: html }));
    dialog.querySelector('.leave').addEventListener('click', open);
    dialog.addEventListener('click', async ({ target: { value } }) => {
      if (!value) return;
      try {
        if (value !== 'skip') await call(`turns/${turn}/feedback`, 'POST', { value, comment: '' });
        dialog.close();
        await list();
        await judge(id);
      } catch (error) {
        dialog.querySelector('.said').textContent = error.message;
      }
    });
  };
  // Questions that were not found, to be asked again once a file was added.
  const showLacking = async ({ value, dataset }) => {
    const { html } = await call(`collections/${value}/lacking`);
    const holder = made('div', { className: 'holder', innerHTML: html, tabIndex: 0 });
    const said = made('p', { className: 'said', role: 'alert' });
    const close = made('button', { type: 'button', className: 'act is-main leave' }, t('Close'));
    window.searchain.dialog(t('Asked of “{name}” and not found', { name: dataset.called }), { className: 'ask wide' }, holder, said, made('p', { className: 'foot' }, close));
    const again = async (button) => {
      button.disabled = true;
      const [turns, errors] = [button.value.split(' '), new Map()];
      let first = null;
      for (const turn of turns) { // a conversation is asked one question at a time
        await call(`turns/${turn}/again`, 'POST').then(({ conversation }) => { first ??= conversation }, ({ message }) => errors.set(turn, message));
      }
      if (!errors.size) return location.assign(`?c=${encodeURIComponent(first)}`);
      button.value = [...errors.keys()].join(' '); // so that these alone are asked the next time
      button.disabled = false;
      said.textContent = t('{asked} of {all} asked: {errors}', { asked: turns.length - errors.size, all: turns.length, errors: [...new Set(errors.values())].join(' ') });
    };
    holder.addEventListener('click', ({ target }) => { if (target.matches('.again')) again(target) });
  };
  const draw = () => {
    const lists = () => [...panel.querySelectorAll('.files')];
    const tops = new Map(lists().map((one) => [one.dataset.of, one.scrollTop]));
    const wanted = part('.find').value.toLowerCase();
    part('.find').hidden = shown.flatMap((one) => one.documents).length < MANY;
    part('.collections').innerHTML = shown.map((one) => one.html).join('');
    for (const tick of panel.querySelectorAll('.tick')) tick.checked = chosen().includes(tick.value);
    for (const file of panel.querySelectorAll('.files li')) if (!file.firstChild.textContent.toLowerCase().includes(wanted)) file.remove();
    for (const one of lists()) one.scrollTop = tops.get(one.dataset.of) || 0;
    part('.beside').hidden = !shown.length;
    badge();
  };
  const list = async () => {
    clearTimeout(timer);
    shown = await call('collections');
    draw();
    if (shown.some((collection) => collection.documents.some((one) => one.is_under_way))) timer = setTimeout(list, 1000);
  };
  const reported = (action) => action.catch((error) => say(error.message));
  const send = async (into, file, name) => {
    const said = await call(`uploads/${into}?name=${encodeURIComponent(name)}`, 'POST', file).catch((error) => {
      throw new Error(`${name}: ${error.message}`);
    });
    return said.filter((one) => one.reason).map((one) => `${one.name}: ${one.reason}`);
  };
  const add = async (files) => {
    if (!files.length) return;
    open();
    const own = shown.filter((one) => one.may_change);
    const into = own.find((one) => chosen().includes(one.id)) || own[0] || await call('collections', 'POST', {});
    const problems = [];
    for (const [number, [file, name]] of files.entries()) {
      say(t('Sending {number} of {all}: {name}', { number: number + 1, all: files.length, name }));
      await send(into.id, file, name).then((more) => problems.push(...more), (error) => problems.push(error.message));
      if (!number) await list(); // and from then on every second
    }
    if (!chosen().includes(into.id)) choose([...chosen(), into.id]);
    say(problems.length ? problems.join(' · ') : '');
    await list();
    await askOnce(into.id);
  };
  // Returns the dropped files, also those in dropped folders.
  const dropped = async (items) => {
    const found = [];
    const walk = async (entry) => {
      if (entry instanceof File) found.push([entry, entry.name]); // dragged from another program: it has no folder
      else if (entry.isFile) found.push([await new Promise((yes, no) => entry.file(yes, no)), entry.fullPath.slice(1)]);
      else {
        const reader = entry.createReader();
        for (let more; (more = await new Promise((yes, no) => reader.readEntries(yes, no))).length;)
          for (const one of more) await walk(one);
      }
    };
    for (const entry of [...items].map((item) => item.webkitGetAsEntry?.() || item.getAsFile()).filter(Boolean)) await walk(entry);
    return found;
  };
  const hasFiles = (event) => [...(event.dataTransfer?.types || [])].includes('Files');
  // The sheet shown while files are dragged takes the drop: a part of the page under it may be replaced meanwhile.
  const drag = (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    document.documentElement.classList.add('is-dropping');
  };
  addEventListener('dragenter', drag);
  addEventListener('dragover', drag);
  const end = () => document.documentElement.classList.remove('is-dropping');
  addEventListener('dragleave', (event) => { if (!event.relatedTarget) end() });
  addEventListener('pointermove', end); // no such event comes during a drag
  addEventListener('drop', (event) => {
    end();
    if (!hasFiles(event)) return;
    event.preventDefault();
    reported(dropped(event.dataTransfer.items).then((files) => (files.length && window.searchain.checkFile?.(files[0][0])) || add(files)));
  });
  part('input[type=file]').addEventListener('change', (event) => {
    const files = [...event.target.files].map((file) => [file, file.webkitRelativePath || file.name]);
    event.target.value = '';
    reported(add(files));
  });
  part('.find').addEventListener('input', draw);
  panel.addEventListener('change', ({ target }) => {
    if (target.matches('.besides')) {
      write(beside, target.checked ? 'true' : '');
      remember();
      badge();
    } else if (target.matches('.tick')) {
      choose([...panel.querySelectorAll('.tick:checked')].map((one) => one.value));
      if (target.checked) reported(askOnce(target.value));
    } else if (target.matches('.sending')) {
      reported(decide(target.value, target.checked).finally(list));
    }
  });
  panel.addEventListener('click', (event) => {
    const judged = event.target.closest('.judge');
    if (judged) reported(judge(judged.value));
    const lacked = event.target.closest('.lacks');
    if (lacked) reported(showLacking(lacked));
    const { gone, name } = event.target.closest('button')?.dataset || {};
    if (!gone) return;
    const remove = (erase) => call(`documents/${gone}`, 'DELETE', { erase });
    window.searchain.question({ title: t('Remove {name}?', { name }), action: t('Remove'), isDangerous: true, act: () => remove(false),
      about: t('Nothing of it is found any more. Old replies keep what they quote of it, unless you erase that too; earlier exports and backups stay as they are.'),
      other: { action: t('Remove and erase quotes'), act: () => remove(true) } }).then(() => reported(list()));
  });
  const open = () => panel.togglePopover(true);
  panel.addEventListener('toggle', (event) => { if (event.newState === 'open') reported(list()) });
  reported(restore());
  document.addEventListener('settings-filled', () => (chosen().length && !shown.length ? reported(list()) : draw()));
}
// Shows a place in an own document, which the server draws: a page as a picture, or text. The cited words are marked.
let lookedAt = 0; // what is asked for later counts
const original = async (path) => {
  const read = (page) => call(`${path}${path.includes('?') ? '&' : '?'}page=${page}`);
  const opened = ++lookedAt;
  const { name, html } = await read(0);
  if (opened !== lookedAt) return;
  const body = made('div', { className: 'view', innerHTML: html });
  const dialog = window.searchain.dialog(name, { id: 'original', className: matchMedia('(max-width: 860px)').matches ? 'is-large' : '' }, body);
  const show = () => body.querySelector('.box, mark')?.scrollIntoView({ block: 'center', inline: 'center' });
  body.addEventListener('load', show, true);
  show();
  body.querySelector('.leave').focus();
  body.addEventListener('click', async ({ target }) => {
    if (target.closest('.size')) {
      dialog.classList.toggle('is-large');
      show();
    } else if (target.matches('.turn')) {
      const turned = ++lookedAt;
      const page = await read(target.value).catch((error) => error);
      if (turned !== lookedAt) return;
      if (page instanceof Error) {
        body.querySelector('.said').textContent = page.message;
        return;
      }
      body.innerHTML = page.html;
      (body.querySelector(`.${target.classList[2]}:enabled`) || body.querySelector('.leave')).focus();
    }
  });
};
document.addEventListener('click', (event) => {
  const { place } = event.target.closest?.('button.original')?.dataset || {};
  if (place) original(place).catch((error) => alert(error.message));
});
