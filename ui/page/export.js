// Completes a link of the menu Export when it is clicked, because before that there may be no conversation.
element.addEventListener('click', (event) => {
  if (event.target.closest('.print')) return print();
  const link = event.target.closest('a[download]');
  if (!link) return;
  const query = new URLSearchParams();
  if (link.matches('.this')) query.set('conversation', window.searchain.shown() || 'none');
  if (element.querySelector('.unmarked').checked) query.set('marks', 'none');
  link.search = query;
});
