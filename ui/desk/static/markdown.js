// How the letters of a reply in Markdown look. Nothing is made of its text: each letter gets a class, or '', and stays
// where it is, so that offsets hold.

const LINES = [
  [/^( {0,3}#{1,6}[ \t]+)(.*?)([ \t]+#*)?$/, ['md-sign', 'md-head', 'md-sign']],
  [/^(\s*)([-*+•][ \t]+)(.*)$/, ['', 'md-bullet', null]],
  [/^(\s*>[ \t]?)(.*)$/, ['md-sign', null]],
];
const DIVIDER = /^\s*\|?\s*:?-{2,}:?\s*(\|\s*:?-{2,}:?\s*)*\|?\s*$/, ROW = /^\s*\|.*\|\s*$/, FENCE = /^ {0,3}(```|~~~)/;
const INLINE = [[/(\*\*|__)(?=\S)(.+?\S|\S)\1/g, 'md-bold'], [/(?<![\w*])(\*|_)(?=[^\s*_])([^*_\n]*?[^\s*_])\1(?![\w*])/g, 'md-italic'],
  [/(`)([^`\n]+)`/g, 'md-code']];

export function looks(letters) {
  // one UTF-16 unit for each letter, so that places in the text are places in `letters`
  const text = letters.map((one) => (one.length > 1 ? '\u25a1' : one)).join('');
  const found = new Array(letters.length).fill('');
  const fill = (start, end, look) => { if (look) found.fill(look, start, end) };
  const lines = text.split('\n');
  let at = 0, isCode = false;
  lines.forEach((line, number) => {
    if (FENCE.test(line) || isCode) {
      if (FENCE.test(line)) isCode = !isCode;
      fill(at, at + line.length, FENCE.test(line) ? 'md-sign' : 'md-code');
    } else if (DIVIDER.test(line)) fill(at, at + line.length, 'md-sign');
    else {
      if (ROW.test(line)) {
        if (DIVIDER.test(lines[number + 1] ?? '')) fill(at, at + line.length, 'md-row-head');
        for (const bar of line.matchAll(/\|/g)) fill(at + bar.index, at + bar.index + 1, 'md-bar');
      }
      for (const [pattern, classes] of LINES) {
        const match = pattern.exec(line);
        if (!match) continue;
        let from = at;
        classes.forEach((look, index) => {
          const length = (match[index + 1] ?? '').length;
          if (look) fill(from, from + length, look);
          from += length;
        });
        break;
      }
      for (const [pattern, look] of INLINE) {
        for (const match of line.matchAll(pattern)) {
          const start = at + match.index, end = start + match[0].length, sign = match[1].length;
          for (let place = start + sign; place < end - sign; place += 1) if (!found[place]) found[place] = look;
          fill(start, start + sign, 'md-sign');
          fill(end - sign, end, 'md-sign');
        }
      }
    }
    at += line.length + 1;
  });
  return found;
}
