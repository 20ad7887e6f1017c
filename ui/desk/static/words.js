// The desk's words in the reader's language; `ui/locale` has the catalogues.

const { words = '{}' } = document.body.dataset;
const messages = JSON.parse(words);

// The message with its {names} replaced.
export const t = (message, values = {}) => (messages[message] || message).replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
