// Own documents: add files, show the state of each, and tick the collections to search.
const { call, made, t } = window.searchain;
const panel = document.getElementById('documents');
const toggle = document.getElementById('documents-toggle');
if (panel) {
  const STATES = { queued: t('waiting'), parsing: t('reading'), encoding: t('almost ready; you can ask already'), ready: t('ready'),
    no_text: t('no text'), encrypted: t('protected'), too_large: t('too large'), failed: t('not readable') };
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
    const mark = toggle.querySelector('.changed');
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
  const write = (selector, text) => {
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
    write('#knows .what', what);
    window.searchain.against = what && t('Held against {knows}.', { knows: what });
    write('#check .against', window.searchain.against);
    write('#chat .welcome .where', what && t('The answer is looked up in {knows}.', { knows: what }));
    box.placeholder = isAlone ? t('Ask your documents') : usual.ask;
  };
  // A new conversation begins with what was ticked last in this tab.
  const LAST = 'searchain-documents';
  const stored = (act) => { try { return act(sessionStorage) } catch { return null /* this browser stores nothing */ } };
  const remember = () => stored((store) => store.setItem(LAST, JSON.stringify([chosen(), beside.value])));
  const choose = (ids) => {
    kept.value = ids.length ? JSON.stringify(ids) : '';
    kept.dispatchEvent(new Event('input', { bubbles: true }));
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
  const row = (one, collection) => {
    const length = one.pages === 1 ? t('1 page') : t('{number} pages', { number: one.pages });
    const pages = one.pages ? `, ${length}` : '';
    const line = made('li', { className: `is-${one.state}` }, made('bdi', {}, one.name),
      made('span', { title: one.reason || '' }, ` ${STATES[one.state]}${pages}${one.reason ? `: ${one.reason}` : ''}`));
    if (collection.may_change && one.id) {
      const gone = made('button', { type: 'button', ariaLabel: t('Remove {name}', { name: one.name }) }, t('Remove'));
      gone.dataset.gone = one.id;
      gone.dataset.name = one.name;
      line.append(gone);
    }
    return line;
  };
  // Where the language model is on another machine, a collection says whether its passages may be sent there.
  const sending = ({ id, host, elsewhere, may_change }) => {
    const allowed = made('input', { type: 'checkbox', className: 'sending', value: id, checked: elsewhere === 'allowed', disabled: !may_change });
    return made('label', { className: 'sends' }, allowed, ' ', t('Its passages may be sent to the language model at {host}', { host }));
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
  // People's judgements on its replies give a collection a tick of its own.
  const judging = ({ id, tick: { judged, needed, ticked, right, low, high } }) => {
    const numbers = { judged, needed, ticked, right, low, high };
    const text = judged < needed ? t('{judged} of {needed} judged; at {needed} the tick is yours', numbers)
      : ticked ? t('✓ here: {right} of {ticked} were right [{low}, {high}]', numbers)
        : t('{judged} judged; too few of the likely replies were judged, or were right', numbers);
    const button = made('button', { type: 'button', className: 'judge', value: id }, t('Judge replies'));
    return made('p', { className: 'judged' }, made('span', {}, text), ' ', button);
  };
  const judge = async (id) => {
    const one = await call(`collections/${id}/judging`);
    if (!one.turn) return say(t('Every rated reply over this collection is judged; ask more questions.'));
    const about = made('p', { className: 'hint' }, t('Is this the right answer, by what your documents say?'));
    const said = made('p', { className: 'said', role: 'alert' });
    const foot = made('p', { className: 'foot' });
    const dialog = window.searchain.dialog(one.question, { className: 'ask wide' }, about,
      made('p', { className: 'judged-answer' }, one.answer), made('div', { className: 'holder', innerHTML: one.html, tabIndex: 0 }), said, foot);
    const next = async () => {
      dialog.close();
      await list();
      await judge(id);
    };
    const act = (text, does) => {
      const button = made('button', { type: 'button', className: 'act' }, text);
      button.addEventListener('click', () => does().catch((error) => { said.textContent = error.message }));
      foot.append(button);
    };
    const give = (value) => async () => {
      await call(`turns/${one.turn}/feedback`, 'POST', { value, comment: '' });
      await next();
    };
    act(t('Close'), async () => { dialog.close(); open() });
    act(t('Skip'), next);
    act(t('Bad'), give('down'));
    act(t('Good'), give('up'));
  };
  // Replies that quote what a document no longer says.
  const overtaken = ({ changed }) => made('details', { className: 'overtaken' }, made('summary', {}, t('Changed since: {number}', { number: changed.length })),
    made('ul', {}, ...changed.map(({ conversation, question }) => made('li', {}, made('a', { href: `?c=${encodeURIComponent(conversation)}` }, question)))));
  // Questions that were not found, to be asked again once a file was added.
  const lacks = ({ id, name, lacking }) => {
    const button = made('button', { type: 'button', className: 'lacks', value: id }, t('Not found: {number}', { number: lacking }));
    button.dataset.called = name;
    return made('p', { className: 'judged' }, button);
  };
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
    part('.collections').replaceChildren(...shown.map((collection) => {
      const tick = made('input', { type: 'checkbox', className: 'tick', value: collection.id, checked: chosen().includes(collection.id) });
      const ready = collection.documents.filter((one) => one.state === 'ready').length;
      const progress = t('{ready} of {all} ready', { ready, all: collection.documents.length });
      const files = made('ul', { className: 'files' }, ...collection.documents
        .filter((one) => one.name.toLowerCase().includes(wanted)).map((one) => row(one, collection)));
      files.dataset.of = collection.id;
      return made('li', {}, made('label', {}, tick, ' ', made('bdi', {}, collection.name),
        made('span', {}, ` ${progress}`)), ...(collection.host ? [sending(collection)] : []),
      ...(collection.may_change ? [judging(collection)] : []), ...(collection.lacking ? [lacks(collection)] : []), ...(collection.changed.length ? [overtaken(collection)] : []), files);
    }));
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
      beside.value = target.checked ? 'true' : '';
      beside.dispatchEvent(new Event('input', { bubbles: true }));
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
  const open = () => {
    const { left, top } = toggle.getBoundingClientRect();
    panel.style.bottom = `${Math.max(8, innerHeight - top + 8)}px`; // above the question
    panel.style.maxHeight = `${Math.max(200, top - 24)}px`;
    panel.style.left = `${Math.max(10, Math.min(left, innerWidth - 490))}px`;
    if (!panel.matches(':popover-open')) panel.showPopover();
  };
  toggle.addEventListener('click', () => (panel.matches(':popover-open') ? panel.hidePopover() : open()));
  panel.addEventListener('toggle', (event) => {
    toggle.setAttribute('aria-expanded', event.newState === 'open');
    if (event.newState === 'open') reported(list());
  });
  reported(restore());
  document.addEventListener('settings-filled', () => (chosen().length && !shown.length ? reported(list()) : draw()));
}
// Shows a place in an own document, which the server draws: a page as a picture, or text. The cited words are marked.
const original = async (path) => {
  const read = (page) => call(`${path}${path.includes('?') ? '&' : '?'}page=${page}`);
  const { name, html } = await read(0);
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
      body.innerHTML = (await read(target.value)).html;
      (body.querySelector(`.${target.classList[2]}:enabled`) || body.querySelector('.leave')).focus();
    }
  });
};
document.addEventListener('click', (event) => {
  const { place } = event.target.closest?.('button.original')?.dataset || {};
  if (place) original(place).catch((error) => alert(error.message));
});
