// Closes the menus at the top and of replies on Escape, on a click elsewhere, and when another menu opens.
const opened = () => [...document.querySelectorAll('#top details[open], #chat .menu[open]')];
document.addEventListener('click', (event) => {
  opened().forEach((menu) => { if (!menu.contains(event.target)) menu.open = false });
}, true);
document.addEventListener('keydown', (event) => {
  const menu = event.key === 'Escape' && opened().find((one) => one.contains(event.target));
  if (!menu) return;
  menu.open = false;
  menu.querySelector('summary').focus();
}, true);
