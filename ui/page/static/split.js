// The line between the conversation and its sources shares out the width, by pointer or keys, and folds the sources. What
// was chosen is kept in this browser; `HEAD` sets it before the page is drawn. Gradio may write the line anew, so that all
// is delegated from the document.
const STEP = 2;  // percent of the width
const root = document.documentElement;
const byId = (id) => document.getElementById(id);
const limit = (name) => Number(byId('split').getAttribute(`aria-${name}`));
const [LEAST, MOST, USUAL] = ['valuemin', 'valuemax', 'valuenow'].map(limit);
const keep = (name, value) => window.searchain.stored((store) => store.setItem(name, value), 'localStorage');
const now = () => Number(root.style.getPropertyValue('--split')) || USUAL;
const tell = () => { if (limit('valuenow') !== now()) byId('split').setAttribute('aria-valuenow', now()) };
const move = (percent) => {
  root.style.setProperty('--split', Math.round(Math.min(Math.max(percent, LEAST), MOST)));
  tell();
  keep('searchain-split', now());
};
const wide = matchMedia('(min-width: 861px)');  // on a narrower page the sources are a sheet
let isFolded = root.classList.contains('side-folded');
const show = () => root.classList.toggle('side-folded', isFolded && wide.matches);
const fold = (is) => {
  isFolded = is;
  show();
  keep('searchain-side', isFolded ? 'folded' : 'open');
};
wide.addEventListener('change', show);
window.searchain.unfoldSide = () => fold(false);

const lineOf = (event) => event.target.closest?.('#split');
document.addEventListener('keydown', (event) => {
  if (!lineOf(event) || event.altKey || event.ctrlKey || event.metaKey) return;
  const to = { ArrowLeft: now() - STEP, ArrowRight: now() + STEP, Home: LEAST, End: MOST }[event.key];
  if (to !== undefined) move(to);
  else if (event.key === 'Enter') {
    fold(true);
    byId('unfold-side').focus();
  } else return;
  event.preventDefault();
});
document.addEventListener('pointerdown', (event) => {
  const line = lineOf(event);
  if (!line || event.button) return;
  line.setPointerCapture(event.pointerId);
  line.classList.add('is-moved');
  event.preventDefault();  // else what is passed would be selected
  line.focus();
});
document.addEventListener('pointermove', (event) => {
  if (!lineOf(event)?.hasPointerCapture(event.pointerId)) return;
  const from = byId('chat-column').getBoundingClientRect().left;
  move(100 * (event.clientX - from) / (byId('side').getBoundingClientRect().right - from));
});
document.addEventListener('lostpointercapture', (event) => lineOf(event)?.classList.remove('is-moved'));
document.addEventListener('dblclick', (event) => { if (lineOf(event)) move(USUAL) });
document.addEventListener('click', (event) => {
  if (event.target.closest?.('#unfold-side')) {
    fold(false);
    document.querySelector('#side .close-side').focus();
  } else if (event.target.closest?.('.close-side') && wide.matches) {
    fold(true);
    byId('unfold-side').focus();
  }
});
new MutationObserver(tell).observe(byId('divider'), { subtree: true, childList: true, attributes: true, attributeFilter: ['aria-valuenow'] });
tell();
