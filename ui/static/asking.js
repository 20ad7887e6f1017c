// The box is emptied once what stands in it is being answered: until then it may be refused.
let known = '';
watch('value', () => {
  const { turn, question } = document.getElementById('reasoning').dataset;
  if (turn === known) return;
  known = turn;
  const box = document.querySelector('#question textarea');
  if (box.value.trim() !== question.trim()) return;
  box.value = '';
  box.dispatchEvent(new Event('input', { bubbles: true }));
});
