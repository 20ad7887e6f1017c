// The time spent on a reply: it stands still while nobody does anything, or the page is hidden.

const IDLE = 120_000;  // milliseconds

export class Timer {
  constructor(show) {
    Object.assign(this, { show, seconds: 0, isRunning: false, last: performance.now() });
    for (const name of ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchmove', 'scroll']) {
      addEventListener(name, () => { this.last = performance.now() }, { passive: true, capture: true });
    }
    setInterval(() => this.tick(), 1000);
  }

  get isActive() { return !document.hidden && performance.now() - this.last < IDLE }

  start(seconds) {
    Object.assign(this, { seconds, isRunning: true, last: performance.now() });
    this.show(seconds);
  }

  stop() {
    this.isRunning = false;
    this.show(0);
  }

  tick() {
    if (!this.isRunning) return;
    if (this.isActive) this.seconds += 1;
    this.show(this.seconds);
  }
}
