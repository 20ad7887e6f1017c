// The page of whoever runs an annotation.

import { notice } from './drawers.js';
import { make, part, time } from './dom.js';
import { short } from './panel.js';
import { Refusal, call, desk } from './server.js';
import { t } from './words.js';

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
  [title, t('submitted'), t('skipped'), t('left for later'), t('time')].map((cell) => make('th', { scope: 'col' }, cell)))),
make('tbody', {}, rows.map((row) => make('tr', {}, make('th', { scope: 'row', dir: 'auto' }, row.name),
  [row.submitted, row.skipped, row.drafts, time(row.seconds)].map((cell) => make('td', {}, cell)))))) : null);

const choice = (of, ...words) => make('label', {}, make('input', { type: 'checkbox', ...of }), ' ', ...words);

async function load() {
  const { progress, systems, annotators, people, items, formats, stranded, quota } = await call('manage');
  for (const id of ['import-quota', 'turns-quota']) part(id).placeholder = quota;  // as the study says
  part('far').textContent = progress.items ? (progress.items === 1 ? t('1 reply on the desk, {complete} complete; {judgements} of {wanted} judgements.', progress)
    : t('{items} replies on the desk, {complete} complete; {judgements} of {wanted} judgements.', progress)) : t('No reply is on the desk yet: put some on it below, and annotators find them at “Judge citations”.');
  part('tables').replaceChildren(...[table(t('system'), systems), table(t('annotator'), annotators)].filter(Boolean));
  part('people').replaceChildren(...people.map((name) => choice({ name: 'person', value: name }, make('bdi', {}, name))));
  part('items').replaceChildren(...items.map((one) => choice({ name: 'item', value: one.id },
    make('span', { dir: 'auto' }, short(one.question, 100)), ' ', make('span', { class: 'quiet' }, `${one.system} · ${t('judged by {done} of {quota}', one)}`))));
  part('stranded').hidden = !stranded.length;
  part('stranded').querySelector('ul').replaceChildren(...stranded.map((one) => make('li', {}, make('bdi', {}, one.annotator), ': ',
    make('span', { dir: 'auto' }, short(one.question, 100)), ' ', make('button', { type: 'button', onclick: () => doing(part('stranded'), async () => (
      t('{quota} annotators may judge it now.', await call(`manage/place/${one.item}`, {})))) }, t('One place more')))));
  const ways = (path, of) => [make('a', { href: `${desk}${path}`, ...of }, t('with names')), ' ', make('a', { href: `${desk}${path}?pseudonyms=1`, ...of }, t('with pseudonyms'))];
  part('exports').replaceChildren(...formats.map(({ name, about }) => make('li', {}, make('strong', {}, name), ` ${about} `,
    ways(`export/${name}`, { download: true }))), make('li', {}, make('strong', {}, t('report')), ` ${t('SKC, AMP, agreement and reliability, as one page')} `,
    ways('report', { target: '_blank', rel: 'noopener' })));
}

const added = ({ added: number, skipped, understood = [] }) => [skipped ? t('{number} put on the desk, {skipped} there already.', { number, skipped }) : t('{number} put on the desk.', { number }),
  ...understood].join(' · ');

async function send(body, isTrial) {
  if (body.size > MOST) throw new Refusal(t('This is more than 1 MB; import it in parts, or with the command line.'), 413);
  const answer = await fetch(`${desk}api/manage/import?${new URLSearchParams({
    quota: part('import-quota').value, system: part('import-system').value.trim(), trial: isTrial ? '1' : '' })}`, {
    method: 'POST', body, headers: { 'content-type': 'application/x-ndjson' } }).catch(() => null);
  if (!answer) throw new Refusal(t('The desk does not answer: no connection, or it is not running.'), 0);
  const said = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Refusal(said.error ?? t('The desk answers {status}.', { status: answer.status }), answer.status);
  if (isTrial) return said.understood?.join(' · ') || t('There are no answers of other systems in it: labels and turns are taken as they are.');
  return added(said);
}

const lines = () => {
  const file = part('file').files[0], text = part('lines').value;
  if (Boolean(file) === Boolean(text.trim())) throw new Refusal(t('Choose a file, or paste lines: one of the two.'), 400);
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
  if (items?.length === 0) throw new Refusal(t('Choose replies, or all of them.'), 400);
  return { items, to: checked('person') };
}

part('assign').addEventListener('submit', (event) => {
  event.preventDefault();
  doing(event.target, async () => {
    const quota = part('quota').value.trim(), { items, to } = chosen();
    if (!to.length && !quota) throw new Refusal(t('Choose annotators to assign to, or a number of annotators.'), 400);
    const { given, had, full } = await call('manage/assign', { items, to, quota });
    return [to.length ? t('{given} assigned', { given }) : t('The number is set'), had && t('{had} judged, skipped or assigned before', { had }),
      full && t('{full} without a free place (a larger number of annotators makes some)', { full })].filter(Boolean).join(', ') + '.';
  });
});

part('release').addEventListener('click', () => doing(part('assign'), async () => {
  const { items, to } = chosen();
  if (!to.length) throw new Refusal(t('Choose the annotators whose assignments are taken back.'), 400);
  return t('{released} taken back; what was begun stays.', await call('manage/release', { items, to }));
}));

part('all').addEventListener('change', () => { part('items').hidden = part('all').checked });
load().catch((error) => notice(error.message));
