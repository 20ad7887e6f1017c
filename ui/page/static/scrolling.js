// Keeps the end of a reply in view while it is written, also of one that is written in the place of an earlier one. A
// reader who scrolls up is left alone until they come back or ask; then the new question, or the reason for its refusal,
// is scrolled into view. A conversation that is opened begins with its newest question, and so does a reply that found
// nothing: its passages come all at once, and would push what it says out of view.
const NEAR = 40;  // px from the end that still count as the end
const GAP = 8;  // px between what is scrolled to and the edge
const AFTER = 1000;  // ms in which Gradio draws an opened conversation, or the last frame of a run
const UP = ['ArrowUp', 'PageUp', 'Home'];
const chat = document.getElementById('chat');
const log = chat.querySelector('[role=log]');
const { now, onChange } = window.searchain;
const isRunning = () => now().state === 'running';
const left = () => log.scrollHeight - log.clientHeight - log.scrollTop;
let isFollowing = true;
let at = 0;
let count = 0;
let until = 0;
let wasRunning = false;

let isOpening = true;  // until something runs, or the reader scrolls
const topOf = (one) => log.scrollTop + one.getBoundingClientRect().top - log.getBoundingClientRect().top;
const edge = () => {
  const asked = [...log.querySelectorAll('.asked:not(.version), .asked.is-newest')].at(-1);
  if (isOpening && !log.querySelector('.notice')) return asked ? topOf(asked) - GAP : 0;
  const written = document.getElementById(`an-${now().turn}`);
  const newest = [...log.querySelectorAll('.answer-block')].at(-1);
  if (asked && newest?.querySelector('.near')) return Math.min(topOf(asked) - GAP, log.scrollHeight);
  if (!written || written === newest) return log.scrollHeight;
  return Math.max(log.scrollTop, topOf(written) + written.offsetHeight + GAP - log.clientHeight);
};
const toEnd = () => {
  log.scrollTop = edge();
  at = log.scrollTop;
};
const leave = () => {
  if (at > 0 || isOpening) isFollowing = false;
  isOpening = false;
};

// Shorter content moves the reader up, too, and may grow again before the browser reports the scrolling in the next
// frame. Only if nothing changed since the last frame did the reader scroll up.
let changes = 0;
const changed = () => {
  changes++;
  requestAnimationFrame(() => requestAnimationFrame(() => { changes--; }));
};
log.addEventListener('scroll', () => {
  if (isOpening && log.scrollTop !== at && !changes) leave();
  if (log.scrollTop < at && left() > 1 && !changes) isFollowing = false;
  else if (log.scrollTop > at && left() <= NEAR) isFollowing = true;
  at = log.scrollTop;
});
// Set before a smooth scrolling begins, because a line written meanwhile would end it.
log.addEventListener('wheel', (event) => { if (event.deltaY < 0 || isOpening) leave(); }, { passive: true });
log.addEventListener('keydown', (event) => { if (UP.includes(event.key)) leave(); });
// A reader who unfolds something wants to read it, not the text that it pushes down.
log.addEventListener('click', (event) => { if (event.target.closest('summary')) leave(); }, true);
let finger = 0;
log.addEventListener('touchstart', (event) => { finger = event.touches[0].clientY; }, { passive: true });
log.addEventListener('touchmove', (event) => { if (event.touches[0].clientY > finger) leave(); }, { passive: true });

// Steps slide in and out without a change of the document, and a new height of the chat moves its end.
const sizes = new ResizeObserver((resized) => {
  changed();
  if (isFollowing && (performance.now() < until || resized.some(({ target }) => target === log))) toEnd();
});
sizes.observe(log);
const follow = () => {
  const parts = log.querySelectorAll('.asked:not(.version), .asked.is-newest, .notice').length;
  if (parts > count) isFollowing = true;
  if (isRunning()) isOpening = false;
  if (parts !== count || wasRunning || isRunning()) until = performance.now() + AFTER;
  count = parts;
  wasRunning = isRunning();  // the last words may come after the change of state, long after the words before them
  if (!isFollowing) log.dispatchEvent(new Event('scroll')); // otherwise Gradio's button to the end does not notice the new position
  else if (performance.now() < until) toEnd();
};
// A question that is asked again keeps its place: it is scrolled into view, and its reply followed.
onChange(({ turn }) => turn, ({ turn, state }) => {
  if (state !== 'running') return;
  [isFollowing, isOpening] = [true, false];
  requestAnimationFrame(() => {
    document.getElementById(`vq-${turn}`)?.scrollIntoView({ block: 'nearest' });
    at = log.scrollTop;
  });
}, now().turn);
let messages = null;
const watchMessages = () => {
  changed();
  const written = log.querySelector('.message-wrap');
  if (written !== messages) {
    if (messages) sizes.unobserve(messages);
    if (written) sizes.observe(written);
    messages = written;
  }
  follow();
};
new MutationObserver(watchMessages).observe(log, { subtree: true, childList: true, characterData: true });
watchMessages();
