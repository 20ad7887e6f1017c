// The buttons of questions and replies. Events are delegated, because Gradio rewrites messages while they change.
const { call, copy, made, now, onChange, question: askPerson, shown, t } = window.searchain;
const N_ = (text) => text; // marks text that is stored in English and translated when it is shown
const turnOf = (element) => element.closest('.acts, .answer-block').id.split('-')[1];
const say = (button, text) => {
  const said = button.closest('.acts').querySelector('.said');
  if (!said) return;
  said.textContent = text;
  setTimeout(() => { if (said.textContent === text) said.textContent = '' }, 4000);
};
const words = (button) => document.querySelector(`#qu-${CSS.escape(turnOf(button))}`).closest('.asked').querySelector('.question').textContent;
const judged = new Map(); // `turn/source` → {value, comment}
const keyOf = (turn, source) => `${turn}/${source ?? ''}`;

const REASONS = [N_('The answer is wrong'), N_('The sources do not support it'), N_('Something is missing'), N_('It answers another question')];
const judge = async (turn, source, value, comment) => {
  await call(`turns/${turn}/feedback`, 'POST', { value: value || '', source, comment });
  judged.set(keyOf(turn, source), { value, comment });
  show();
};
const putOnDesk = (turn) => call(`${document.getElementById('annotate').pathname}/api/turns/${turn}`, 'POST');
// The field holds the earlier comment; it is removed only on request.
const comment = (turn, source, title) => {
  const said = judged.get(keyOf(turn, source));
  const isGiven = said?.value === 'down';
  const desk = document.getElementById('annotate');
  const toDesk = made('input', { type: 'checkbox' });
  const extra = !source && desk && !desk.hidden && made('p', { className: 'ticks' }, made('label', {}, toDesk, ` ${t('Put it on the annotation desk, to be judged there')}`));
  return askPerson({
    title, label: t('In your own words (optional)'), text: said?.comment || '', ticks: source ? [] : REASONS, lines: 4, limit: 2000, action: t('Send'),
    extra,
    act: async (text) => {
      await judge(turn, source, 'down', text);
      if (toDesk.checked) await putOnDesk(turn);
    },
    other: isGiven && { action: t('Take back'), act: () => judge(turn, source, null, '') } });
};

// Gradio drops such attributes from messages, so this script sets the state of rated buttons.
const show = () => {
  document.querySelectorAll('#chat .acts[id^="ac-"]').forEach((acts) => {
    const value = judged.get(keyOf(turnOf(acts), null))?.value;
    for (const [name, of] of [['.rate-up', 'up'], ['.rate-down', 'down']]) {
      acts.querySelector(name)?.setAttribute('aria-pressed', String(value === of));
    }
  });
  document.querySelectorAll('.card .doubt').forEach((button) => {
    const [, turn, number] = button.closest('.card').id.split('-');
    button.setAttribute('aria-pressed', String(judged.get(keyOf(turn, Number(number)))?.value === 'down'));
  });
};
// Gradio asks what comes while its last event still ends after that event, so that nothing is lost in the moment after a
// reply. What must not be asked later is held back here: during a run, and a button pressed twice.
let last = { at: 0 };
const askAgain = (asked) => {
  const what = JSON.stringify(asked);
  if (now().state === 'running' || (what === last.what && Date.now() - last.at < 1000)) return;
  last = { what, at: Date.now() };
  trigger('again', asked);
};
const acts = {
  edit: async (button) => {
    if (button.closest('.is-check')) return window.searchain.check((await call(`turns/${turnOf(button)}/copy/plain`)).text);
    const turn = turnOf(button);
    const understood = button.matches('.as-understood') && button.closest('.understood').querySelector('.standalone').textContent;
    const text = await askPerson({ title: t('Ask with other words'), about: t('The earlier reply stays: ‹ leads back to it.'),
      label: t('Question'), text: understood || words(button), lines: 4, isSentByEnter: true, action: t('Ask') });
    if (text?.trim()) askAgain({ turn, question: text, instead: true });
  },
  retry: (button) => askAgain({ turn: turnOf(button), question: words(button), instead: true }),
  compare: (button) => {
    button.closest('.compare-with').open = false;
    askAgain({ turn: turnOf(button), question: words(button), system: button.dataset.system });
  },
  'rate-up': async (button) => {
    const turn = turnOf(button);
    const isUp = judged.get(keyOf(turn, null))?.value === 'up';
    await judge(turn, null, isUp ? null : 'up', '');
    say(button, isUp ? t('Taken back.') : t('Thank you.'));
  },
  'rate-down': async (button) => {
    const turn = turnOf(button);
    const said = await comment(turn, null, t('What is wrong with this reply?'));
    if (said !== null) say(button, said === false ? t('Taken back.') : t('Thank you.'));
  },
  'ask-next': (button) => askAgain({ turn: turnOf(button), question: button.textContent }),
  'to-beside': async (button) => {
    const { html } = await call(`turns/${turnOf(button)}/beside`);
    const close = made('button', { type: 'button', className: 'act is-main leave', autofocus: true }, t('Close'));
    window.searchain.dialog(t('Each sentence beside its passage'), { className: 'ask wide' }, made('p', { className: 'hint' }, t('Words in both are marked.')),
      made('div', { className: 'holder', innerHTML: html, tabIndex: 0 }), made('p', { className: 'foot' }, close));
  },
  'by-hand': async (button) => {
    const { item } = await putOnDesk(turnOf(button));
    const to = new URL(document.getElementById('annotate').href);
    to.searchParams.set('item', item);
    location.assign(to);
  },
  'to-both': (button) => {
    document.querySelector('#documents .besides').click();
    acts.retry(button);
  },
  'to-documents': () => document.getElementById('documents-toggle')?.click(),
  'to-side': (button) => {
    window.searchain.read(turnOf(button));
    window.searchain.openSide();
  },
  doubt: async (button) => {
    const [, turn, number] = button.closest('.card').id.split('-');
    await comment(turn, Number(number), t('Passage [{number}] does not support it', { number }));
  },
  ...Object.fromEntries(['text', 'sources', 'markdown'].map((form) => [`copy-${form}`, async (button) => {
    const { text, html } = await call(`turns/${turnOf(button)}/copy/${form}`);
    await copy(text, html);
    button.closest('details').open = false;
    say(button, t('Copied.'));
  }])),
};
document.addEventListener('click', async (event) => {
  const button = event.target.closest?.('#chat .act, .card .doubt');
  const name = button && Object.keys(acts).find((one) => button.classList.contains(one));
  if (!name) return;
  event.preventDefault();
  try {
    await acts[name](button);
  } catch (error) {
    if (button.closest('.acts')) say(button, error.message);
  }
}, true);
// The settings form brings the methods that can be compared, in the reader's language. They stand on the side of the button
// with more room in the chat, and no higher than that.
document.addEventListener('toggle', ({ target }) => {
  const sheet = target.matches?.('#chat .compare-with[open]') && target.querySelector('.sheet');
  if (!sheet) return;
  if (!sheet.children.length) sheet.append(...document.getElementById('methods').cloneNode(true).children);
  const log = target.closest('[role=log]').getBoundingClientRect(), acts = target.closest('.acts').getBoundingClientRect();
  const above = acts.top - log.top - 8, below = log.bottom - acts.bottom - 8;
  sheet.classList.toggle('is-below', below > above);
  sheet.style.maxHeight = `${Math.min(320, Math.max(above, below))}px`;
}, true);

onChange(shown, async ({ conversation }) => {
  if (!conversation) return;
  const said = await call(`conversations/${encodeURIComponent(conversation)}/feedback`).catch(() => []);
  said.forEach(({ turn, source, value, comment: text }) => judged.set(keyOf(turn, source), { value, comment: text }));
  show();
});
let isDue = false;
const soon = () => {
  if (isDue) return;
  isDue = true;
  requestAnimationFrame(() => { isDue = false; show() });
};
new MutationObserver(soon).observe(document.getElementById('columns'), { subtree: true, childList: true });
