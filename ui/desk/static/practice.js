// What comes before the first reply: the guidelines, then examples with what is right and why.

import { make, part } from './dom.js';
import { guidelines, open, shut } from './drawers.js';
import { call } from './server.js';
import { t } from './words.js';

// `practice` as the desk gives it; `on`: isAdmin(), show(task), through(), doing(act).
export class Practice {
  constructor(on) { Object.assign(this, { on, state: null }) }

  get isOn() { return this.state !== null }

  // Where the person is: the guidelines, an example, or nothing any more.
  async go(state) {
    this.state = state.is_due ? state : null;
    if (!this.isOn) return this.on.through();
    if (!state.has_read) return this.read();
    this.on.show(state.task);
    part('progress').textContent = t('Example {example} of {number}: practice with answers', state);
  }

  async read() {
    const begun = performance.now();
    const send = (action) => this.on.doing(async () => {
      const answer = await call('practice', { action, seconds: (performance.now() - begun) / 1000 });
      shut();
      await this.go(answer.practice);
    });
    this.on.show(null);
    part('empty').replaceChildren(`${t('First the guidelines, then a few examples with their answers.')} `,
      make('button', { type: 'button', class: 'main', onclick: () => this.read() }, t('Open the guidelines')));
    const { number, pass_mark } = this.state;
    await guidelines(make('p', { class: 'tools' },
      make('button', { type: 'button', id: 'have-read', class: 'main', onclick: () => send('read') }, t('I have read them: to the examples')),
      this.on.isAdmin() && make('button', { type: 'button', onclick: () => send('leave out') }, t('Go without the practice'))),
    make('p', { class: 'quiet' }, t('{number} examples follow, with answers and reasons. {percent} % of their points must be right before the first reply; what is wrong can be tried again. The guidelines stay a key away (g).',
      { number, percent: Math.round(pass_mark * 100) })));
  }

  // Sends what was said of the example, and shows what is right.
  async submit(labels, seconds) {
    const { points, practice } = await call(`practice/${this.state.example}`, { labels, seconds });
    const right = points.filter((one) => one.is_right).length;
    const lines = points.map((one) => make('li', { class: one.is_right ? 'is-right' : 'is-wrong' },
      make('p', {}, make('strong', {}, one.is_right ? '✓ ' : '✗ '), make('bdi', {}, one.what), ': ',
        one.is_right ? one.right : t('you said “{said}”; right is “{right}”', one)),
      one.why && make('p', { class: 'quiet' }, one.why)));
    const score = t('{right} of {points} points so far', practice);
    const next = !practice.is_due ? t('Begin with the first reply') : practice.example <= this.state.example ? t('Try an example again') : t('Next example');
    const go = () => this.on.doing(async () => { shut(); await this.go(practice); });
    open(t('{right} of {all} right', { right, all: points.length }), make('ul', { class: 'points' }, lines),
      make('p', { class: 'quiet' }, practice.is_due ? t('{score}; {percent} % are needed.', { score, percent: Math.round(practice.pass_mark * 100) }) : t('{score}: you are ready.', { score })),
      make('p', {}, make('button', { type: 'button', id: 'go-on', class: 'main', onclick: go }, next)));
    part('go-on').focus();
  }
}
