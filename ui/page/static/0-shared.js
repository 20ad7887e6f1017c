// What the other scripts share: requests to the page's own routes, questions to the person, the conversation shown.
const said = document.getElementById('words').dataset;
const messages = JSON.parse(said.words);
document.documentElement.lang = said.language;
window.searchain = {
  language: said.language,
  // locale of dates and numbers: the browser's own, if it is in the page's language
  locale: navigator.language.split('-')[0] === said.language.split('-')[0] ? navigator.language : said.language,
  // Returns a message in the page's language with its {names} replaced. `ui/locale` has the catalogues.
  t: (message, values = {}) => (messages[message] || message).replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole),
  // What the page shows, as `ui.page.tree_view.panel` tells it.
  now: () => document.getElementById('reasoning')?.dataset ?? {},
  shown: () => window.searchain.now().conversation || '',
  // Calls `act` with what the page shows whenever what `of` takes from it is another than before.
  onChange: (of, act, known) => watch('value', () => {
    const now = window.searchain.now(), is = of(now);
    if (is === known) return;
    known = is;
    act(now);
  }),
  made: (tag, of = {}, ...inner) => {
    const one = Object.assign(document.createElement(tag), of);
    one.append(...inner);
    return one;
  },
  // Sets a field as if the person had written it.
  write: (field, text) => {
    field.value = text;
    field.dispatchEvent(new Event('input', { bubbles: true }));
  },
  // Returns a further style sheet of the page; Gradio rewrites messages and panels, but no sheet.
  sheet: () => {
    const sheet = new CSSStyleSheet();
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    return sheet;
  },
  // Calls `act` with a store of this browser; null where it stores nothing.
  stored: (act, store = 'sessionStorage') => { try { return act(window[store]) } catch { return null } },
  // Opens a modal dialog, which goes away when it is closed, by a button `.leave` too.
  dialog: (title, of, ...inner) => {
    const { made } = window.searchain;
    const dialog = made('dialog', { className: 'ask', ariaLabel: title, ...of }, made('h2', {}, title), ...inner);
    dialog.addEventListener('click', (event) => { if (event.target.closest('.leave')) dialog.close() });
    dialog.addEventListener('close', () => dialog.remove());
    document.getElementById('columns').append(dialog);
    dialog.showModal();
    return dialog;
  },
  // Returns the JSON that a route answers; `values` may be a file. Throws an Error with a message for the person.
  call: async (path, method = 'GET', values) => {
    const { t } = window.searchain;
    const isFile = values instanceof Blob;
    const headers = isFile ? { 'x-searchain': 'upload', 'content-type': 'application/octet-stream' } : { 'content-type': 'application/json' };
    const body = isFile ? values : JSON.stringify(values || {});
    const answer = await fetch(path, method === 'GET' ? {} : { method, headers, body }).catch(() => null);
    if (!answer) throw new Error(t('The page’s server does not answer.'));
    const said = await answer.json().catch(() => ({}));
    if (!answer.ok) throw new Error(said.error || t('The page’s server answers {status}.', { status: answer.status }));
    return said;
  },
  // Opens a modal question; with `text`, it has a text field. Resolves to the text (or true), or to null if cancelled.
  // `act(words)` may carry it out; if that throws, the dialog stays open and shows why. `other`, with its own action and
  // act, is a second button, which resolves to false. `extra` is an element below the field.
  question: ({ title, about = '', label = '', text, action, isDangerous = false, limit = 4000, lines = 1, ticks = [], isSentByEnter = false, extra, act, other }) =>
    new Promise((resolve) => {
      const { made, t } = window.searchain;
      const field = text === undefined ? null : made(lines > 1 ? 'textarea' : 'input', {
        id: 'dialog-field', value: text, maxLength: limit, ...(lines > 1 && { rows: lines }) });
      const boxes = ticks.map((tick) => made('input', { type: 'checkbox', value: tick, checked: Boolean(text?.includes(tick)) }));
      if (field) boxes.filter((box) => box.checked).forEach((box) => { field.value = field.value.replace(box.value, '').replace(/^[;\s]+/, '') });
      const ticked = made('p', { className: 'ticks' }, ...boxes.map((box) => made('label', {}, box, ` ${t(box.value)}`)));
      const words = () => (field ? [...boxes.filter((box) => box.checked).map((box) => box.value), field.value.trim() && field.value].filter(Boolean).join('; ') : true);
      const said = made('p', { className: 'said', role: 'alert' });
      const go = made('button', { type: 'submit', className: `act ${isDangerous ? 'is-dangerous' : 'is-main'}` }, action);
      const leave = made('button', { type: 'button', className: 'act leave' }, t('Cancel'));
      const back = other ? made('button', { type: 'button', className: 'act is-other' }, other.action) : null;
      const form = made('form', {}, ...(about ? [made('p', {}, about)] : []), ...(boxes.length ? [ticked] : []),
        ...(field ? [made('label', { htmlFor: 'dialog-field' }, label), field] : []), ...(extra ? [extra] : []), said,
        made('p', { className: 'foot' }, ...(back ? [back] : []), leave, go));
      const dialog = window.searchain.dialog(title, {}, form);
      let result = null;
      const answer = async (button, words, does) => {
        button.disabled = true;
        try {
          await does?.(words);
          result = words;
          dialog.close();
        } catch (error) {
          said.textContent = error.message;
          button.disabled = false;
        }
      };
      form.addEventListener('submit', (event) => {
        event.preventDefault();
        answer(go, boxes.length ? words() : field ? field.value : true, act);
      });
      back?.addEventListener('click', () => answer(back, false, other.act));
      if (lines > 1) field.addEventListener('keydown', (event) => {
        const isEnter = event.key === 'Enter' && !event.isComposing;
        if (!isEnter || !(event.ctrlKey || event.metaKey || (isSentByEnter && !event.shiftKey))) return;
        event.preventDefault();
        form.requestSubmit();
      });
      dialog.addEventListener('close', () => resolve(result));
      (isDangerous ? leave : field || go).focus();
      field?.select();
    }),
  // Copies a text; with `html`, formatted for programs that show it so.
  copy: async (text, html) => {
    try {
      const as = (type, said) => ({ [type]: new Blob([said], { type }) });
      await navigator.clipboard.write([new ClipboardItem({ ...as('text/plain', text), ...(html && as('text/html', html)) })]);
    } catch {
      const field = window.searchain.made('textarea', { value: text }); // without https there is no clipboard
      document.getElementById('columns').append(field);
      field.select();
      document.execCommand('copy');
      field.remove();
    }
  },
};
