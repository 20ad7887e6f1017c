// Drafts: kept in this browser at once, and by the desk a moment later. Nothing leaves the browser's memory before the desk
// has it.

import { call } from './server.js';

const PAUSE = 300, AGAIN = 4000;  // milliseconds

export class Saving {
  // `on`: state(word), saved(answer), refused(error).
  constructor(on) {
    this.on = on;
    this.pending = null;
    this.going = null;
    addEventListener('pagehide', () => this.last());
    document.addEventListener('visibilitychange', () => { if (document.hidden) this.last() });
    addEventListener('online', () => this.flush());
    addEventListener('beforeunload', (event) => { if (this.pending && !this.keeps) event.preventDefault() });
  }

  as(person) { this.person = person }

  changed(id, labels, seconds, version) {
    this.pending = { id, labels, seconds, version };
    this.keeps = this.keep(this.pending);
    this.on.state('saving');
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.flush(), PAUSE);
  }

  // Sends what is pending; resolves when the desk has it, or refused.
  async flush() {
    clearTimeout(this.timer);
    while (this.going) await this.going;
    const sent = this.pending;
    if (!sent) return true;
    this.going = this.send(sent).finally(() => { this.going = null });
    return this.going;
  }

  async send(sent) {
    try {
      const answer = await call(`items/${sent.id}/draft`, { labels: sent.labels, seconds: sent.seconds() });
      if (this.pending === sent) {
        this.done(sent.id);
        this.on.state('saved');
      }
      this.on.saved(answer, sent);
      return true;
    } catch (error) {
      const isForNow = error.status === 0 || error.status === 401 || error.status >= 500;
      this.on.state(isForNow ? 'kept' : 'refused');
      this.on.refused(error, sent);
      if (isForNow) this.timer = setTimeout(() => this.flush(), AGAIN);
      return false;
    }
  }

  // The desk has all of it, or the person gave it up.
  done(id) {
    if (this.pending?.id === id) {
      this.pending = null;
      clearTimeout(this.timer);
    }
    try { localStorage.removeItem(this.key(id)) } catch { /* a browser that keeps nothing */ }
  }

  last() {
    if (!this.pending) return;
    const { id, labels, seconds } = this.pending;
    call(`items/${id}/draft`, { labels, seconds: seconds() }, { keepalive: true }).then(
      () => { if (this.pending?.labels === labels) { this.done(id); this.on.state('saved') } }, () => {});
  }

  key(id) { return `searchain-desk ${this.person} ${id}` }

  keep({ id, labels, version }) {
    try {
      localStorage.setItem(this.key(id), JSON.stringify({ labels, version, at: Date.now() }));
      return true;
    } catch { return false }
  }

  // What this browser kept of the item and the desk never had; null without any.
  found(id) {
    try { return JSON.parse(localStorage.getItem(this.key(id))) } catch { return null }
  }
}
