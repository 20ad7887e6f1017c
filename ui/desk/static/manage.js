// The page of whoever runs an annotation.

import { notice } from './drawers.js';
import { make, part, time } from './dom.js';
import { short } from './panel.js';
import { Refusal, call, desk } from './server.js';

const MOST = 1_000_000;  // bytes

// Does what a form asks, and says what came of it.
async function doing(form, act) {
  const all = form.querySelectorAll('button');
  all.forEach((one) => { one.disabled = true });
  notice('');
  try {
    notice(await act());
    await load();
  } catch (error) {
    if (error.status === undefined) throw error;
    notice(error.message);
  } finally {
    all.forEach((one) => { one.disabled = false });
  }
}

const table = (title, rows) => (rows.length ? make('table', {}, make('thead', {}, make('tr', {},
  [title, 'submitted', 'skipped', 'left for later', 'time'].map((cell) => make('th', { scope: 'col' }, cell)))),
make('tbody', {}, rows.map((row) => make('tr', {}, make('th', { scope: 'row', dir: 'auto' }, row.name),
  [row.submitted, row.skipped, row.drafts, time(row.seconds)].map((cell) => make('td', {}, cell)))))) : null);

const choice = (of, ...words) => make('label', {}, make('input', { type: 'checkbox', ...of }), ' ', ...words);

async function load() {
  const { progress, systems, annotators, people, items, formats, stranded, quota } = await call('manage');
  for (const id of ['import-quota', 'turns-quota']) part(id).placeholder = quota;  // as the study says
  part('far').textContent = progress.items ? `${progress.items} ${progress.items === 1 ? 'reply' : 'replies'} on the desk, ${progress.complete} complete; `
    + `${progress.judgements} of ${progress.wanted} judgements.` : 'No reply is on the desk yet: put some on it below, and annotators find them at “Judge citations”.';
  part('tables').replaceChildren(...[table('system', systems), table('annotator', annotators)].filter(Boolean));
  part('people').replaceChildren(...people.map((name) => choice({ name: 'person', value: name }, make('bdi', {}, name))));
  part('items').replaceChildren(...items.map((one) => choice({ name: 'item', value: one.id },
    make('span', { dir: 'auto' }, short(one.question, 100)), ' ', make('span', { class: 'quiet' }, `${one.system} · judged by ${one.done} of ${one.quota}`))));
  part('stranded').hidden = !stranded.length;
  part('stranded').querySelector('ul').replaceChildren(...stranded.map((one) => make('li', {}, make('bdi', {}, one.annotator), ': ',
    make('span', { dir: 'auto' }, short(one.question, 100)), ' ', make('button', { type: 'button', onclick: () => doing(part('stranded'), async () => (
      `${(await call(`manage/place/${one.item}`, {})).quota} annotators may judge it now.`)) }, 'One place more'))));
  const ways = (path, of) => [make('a', { href: `${desk}${path}`, ...of }, 'with names'), ' ', make('a', { href: `${desk}${path}?pseudonyms=1`, ...of }, 'with pseudonyms')];
  part('exports').replaceChildren(...formats.map(({ name, about }) => make('li', {}, make('strong', {}, name), ` ${about} `,
    ways(`export/${name}`, { download: true }))), make('li', {}, make('strong', {}, 'report'), ' SKC, AMP, agreement and reliability, as one page ',
    ways('report', { target: '_blank', rel: 'noopener' })));
}

const added = ({ added: number, skipped, understood = [] }) => [`${number} put on the desk${skipped ? `, ${skipped} there already` : ''}.`,
  ...understood].join(' · ');

async function send(body, isTrial) {
  if (body.size > MOST) throw new Refusal('This is more than 1 MB; import it in parts, or with the command line.', 413);
  const answer = await fetch(`${desk}api/manage/import?${new URLSearchParams({
    quota: part('import-quota').value, system: part('import-system').value.trim(), trial: isTrial ? '1' : '' })}`, {
    method: 'POST', body, headers: { 'content-type': 'application/x-ndjson' } }).catch(() => null);
  if (!answer) throw new Refusal('The desk does not answer: no connection, or it is not running.', 0);
  const said = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Refusal(said.error ?? `The desk answers ${answer.status}.`, answer.status);
  if (isTrial) return said.understood?.join(' · ') || 'There are no answers of other systems in it: labels and turns are taken as they are.';
  return added(said);
}

const lines = () => {
  const file = part('file').files[0], text = part('lines').value;
  if (Boolean(file) === Boolean(text.trim())) throw new Refusal('Choose a file, or paste lines: one of the two.', 400);
  return new Blob([file ?? text]);
};

part('trial').addEventListener('click', () => doing(part('import'), () => send(lines(), true)));

part('import').addEventListener('submit', (event) => {
  event.preventDefault();
  doing(event.target, async () => {
    const said = await send(lines(), false);
    event.target.reset();
    return said;
  });
});

part('turns').addEventListener('submit', (event) => {
  event.preventDefault();
  const value = (id) => part(id).value.trim();
  doing(event.target, async () => added(await call('manage/turns', { text: value('words'), model: value('model'), since: value('since'),
    until: value('until'), status: value('status'), quota: value('turns-quota') })));
});

function chosen() {
  const checked = (name) => [...document.querySelectorAll(`[name=${name}]:checked`)].map((one) => one.value);
  const items = part('all').checked ? null : checked('item');
  if (items?.length === 0) throw new Refusal('Choose replies, or all of them.', 400);
  return { items, to: checked('person') };
}

part('assign').addEventListener('submit', (event) => {
  event.preventDefault();
  doing(event.target, async () => {
    const quota = part('quota').value.trim(), { items, to } = chosen();
    if (!to.length && !quota) throw new Refusal('Choose annotators to assign to, or a number of annotators.', 400);
    const { given, had, full } = await call('manage/assign', { items, to, quota });
    return [to.length ? `${given} assigned` : 'The number is set', had && `${had} judged, skipped or assigned before`,
      full && `${full} without a free place (a larger number of annotators makes some)`].filter(Boolean).join(', ') + '.';
  });
});

part('release').addEventListener('click', () => doing(part('assign'), async () => {
  const { items, to } = chosen();
  if (!to.length) throw new Refusal('Choose the annotators whose assignments are taken back.', 400);
  return `${(await call('manage/release', { items, to })).released} taken back; what was begun stays.`;
}));

part('all').addEventListener('change', () => { part('items').hidden = part('all').checked });
load().catch((error) => notice(error.message));
