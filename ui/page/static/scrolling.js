// The chat stays at its end while a reply is written, as long as the reader is there. Who goes up to read is left alone
// until they come back or ask; then the new question, or why it is refused, is brought into view.
const NEAR = 40;  // px from the end, where a reader who comes down is taken to be there
const AFTER = 1000;  // ms in which Gradio draws a conversation that is opened, or the last picture of a run
const UP = ['ArrowUp', 'PageUp', 'Home'];
const chat = document.getElementById('chat');
const log = chat.querySelector('[role=log]');
const isRunning = () => document.getElementById('reasoning').dataset.state === 'running';
const left = () => log.scrollHeight - log.clientHeight - log.scrollTop;
let isFollowing = true;
let at = 0;
let count = 0;
let until = 0;
let wasRunning = false;

const toEnd = () => {
  log.scrollTop = log.scrollHeight;
  at = log.scrollTop;
};
const leave = () => { if (at > 0) isFollowing = false; };

// What becomes shorter takes the reader up, too, and may be longer again before the browser tells of the scrolling: it
// does so in the next frame, and only without a change since the last one is it the reader who went up.
let changes = 0;
const changed = () => {
  changes++;
  requestAnimationFrame(() => requestAnimationFrame(() => { changes--; }));
};
log.addEventListener('scroll', () => {
  if (log.scrollTop < at && left() > 1 && !changes) isFollowing = false;
  else if (log.scrollTop > at && left() <= NEAR) isFollowing = true;
  at = log.scrollTop;
});
// Before the first step of a scrolling that is drawn smoothly: a line that is written meanwhile would end it.
log.addEventListener('wheel', (event) => { if (event.deltaY < 0) leave(); }, { passive: true });
log.addEventListener('keydown', (event) => { if (UP.includes(event.key)) leave(); });
// Who unfolds something wants to read it, and not what it pushes down.
log.addEventListener('click', (event) => { if (event.target.closest('summary')) leave(); }, true);
let finger = 0;
log.addEventListener('touchstart', (event) => { finger = event.touches[0].clientY; }, { passive: true });
log.addEventListener('touchmove', (event) => { if (event.touches[0].clientY > finger) leave(); }, { passive: true });

// Steps slide in and out without a change of the document; and another height of the chat itself moves its end.
const sizes = new ResizeObserver((resized) => {
  changed();
  if (isFollowing && (performance.now() < until || resized.some(({ target }) => target === log))) toEnd();
});
sizes.observe(log);
const follow = () => {
  const now = log.querySelectorAll('.asked:not(.version), .asked.is-newest, .notice').length;
  if (now > count) isFollowing = true;
  if (now !== count || wasRunning || isRunning()) until = performance.now() + AFTER;
  count = now;
  wasRunning = isRunning();  // the last words may come when the state has changed, long after the words before them
  if (!isFollowing) log.dispatchEvent(new Event('scroll')); // else Gradio's button to the end misses how far it has gone
  else if (performance.now() < until) toEnd();
};
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
