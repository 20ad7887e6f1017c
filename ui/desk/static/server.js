// The desk's server. What goes wrong is an Error whose message is for the person; `status` is 0 when nobody answers.

import { t } from './words.js';

export class Refusal extends Error {
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

export const desk = document.body.dataset.desk;

export async function call(path, values, { method = values === undefined ? 'GET' : 'POST', keepalive = false } = {}) {
  const sent = method === 'GET' ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(values) };
  const answer = await fetch(`${desk}api/${path}`, { method, keepalive, ...sent }).catch(() => null);
  if (!answer) throw new Refusal(t('The desk does not answer: no connection, or it is not running.'), 0);
  const said = await answer.json().catch(() => null);
  if (answer.ok && said) return said;
  throw new Refusal(said?.error || (answer.status === 401 ? t('You are signed out.')
    : answer.status === 403 ? t('Your role does not allow this any more.') : t('The desk answers {status}.', { status: answer.status })), answer.status);
}
