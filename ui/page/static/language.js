// The language of the page. The choice is stored in a cookie, so that the server sends the page in it.
const menu = document.getElementById('set-language');
const NAME = 'searchain_language';
menu.value = document.cookie.match(/(?:^|; )searchain_language=([\w-]+)/)?.[1] ?? '';
menu.addEventListener('input', (event) => event.stopPropagation()); // it is not a setting of the conversation
menu.addEventListener('change', () => {
  const age = menu.value ? 365 * 24 * 3600 : 0;
  document.cookie = `${NAME}=${menu.value}; path=/; max-age=${age}; samesite=lax${location.protocol === 'https:' ? '; secure' : ''}`;
  location.reload();
});
