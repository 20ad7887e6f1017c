// Once all is judged: who annotators believe to have written some of the replies.

import { make, part } from './dom.js';
import { open, shut } from './drawers.js';
import { short } from './panel.js';
import { t } from './words.js';

// `asked`: { systems, replies }; `act(guesses)`: keeps them.
export function ask({ systems, replies }, act) {
  const choice = (one) => make('li', {}, make('p', { dir: 'auto' }, make('strong', {}, short(one.question, 100))),
    make('p', { class: 'quiet', dir: 'auto' }, short(one.answer, 200)),
    make('select', { 'data-item': one.item, 'aria-label': t('Who wrote the reply to “{question}”?', { question: short(one.question, 60) }) },
      make('option', { value: '' }, t('I do not know')), systems.map((name) => make('option', { value: name }, name))));
  const form = make('form', { onsubmit: (event) => {
    event.preventDefault();
    const said = [...form.querySelectorAll('select')].map((one) => [one.dataset.item, one.value || null]);
    shut();
    act(Object.fromEntries(said));
  } }, make('ul', { class: 'points' }, replies.map(choice)), make('p', {}, make('button', { class: 'main' }, t('Done'))));
  const begin = () => open(t('Who wrote these replies?'), make('p', {}, t('You have judged all that was waiting. To check that nothing gave it away: which system, do you believe, wrote each of these? A guess is welcome; “I do not know” is an answer, too.')), form);
  part('empty').append(' ', make('button', { type: 'button', id: 'guess', onclick: begin }, t('One last question')));
}
