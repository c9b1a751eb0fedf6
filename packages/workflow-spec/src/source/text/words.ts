export interface Word {
  readonly text: string;
  /** Index of the first unquoted `=` in `text`. */
  readonly equalsAt?: number;
}

/**
 * Splits a line at white space. A quote counts only at the start of a word or of the value after `=`, so that `it's`
 * and `data={"a":1}` are literal. Inside double quotes `\"` and `\\` are escapes. Backticks keep words together and
 * stay in the text. Returns `undefined` when a quote is not closed.
 */
export function splitWords(line: string): readonly Word[] | undefined {
  const words: Word[] = [];
  let at = 0;
  while (at < line.length) {
    if (isSpace(line, at)) {
      at += 1;
      continue;
    }
    const word = readWord(line, at);
    if (!word) return undefined;
    words.push(word.equalsAt === undefined ? { text: word.text } : { text: word.text, equalsAt: word.equalsAt });
    at = word.end;
  }
  return words;
}

/** Quotes a string so that {@link splitWords} returns it unchanged. */
export function quoteWord(text: string): string {
  // A line that begins with a bracket is read as JSON.
  if (/^[^\s"'`=\\[{][^\s"'`=\\]*$/.test(text)) return text;
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

function readWord(line: string, start: number) {
  let at = start;
  let equalsAt: number | undefined;
  const parts: string[] = [];
  let length = 0;
  const push = (part: string) => {
    parts.push(part);
    length += part.length;
  };
  let mayQuote = true;
  while (at < line.length && !isSpace(line, at)) {
    const character = line.charAt(at);
    if (mayQuote && (character === '"' || character === "'")) {
      const quoted = readQuoted(line, at);
      if (!quoted) return undefined;
      push(quoted.text);
      at = quoted.end;
      mayQuote = false;
      continue;
    }
    const tick = mayQuote && character === '`' ? line.indexOf('`', at + 1) : -1;
    if (tick !== -1) {
      push(line.slice(at, tick + 1));
      at = tick + 1;
      mayQuote = false;
      continue;
    }
    mayQuote = character === '=' && equalsAt === undefined;
    if (mayQuote) equalsAt = length;
    push(character);
    at += 1;
  }
  return { text: parts.join(''), equalsAt, end: at };
}

function readQuoted(line: string, start: number) {
  const mark = line.charAt(start);
  const parts: string[] = [];
  for (let at = start + 1; at < line.length; at += 1) {
    const character = line.charAt(at);
    if (character === mark) return { text: parts.join(''), end: at + 1 };
    const next = line.charAt(at + 1);
    if (mark === '"' && character === '\\' && (next === '"' || next === '\\')) {
      parts.push(next);
      at += 1;
    } else parts.push(character);
  }
  return undefined;
}

function isSpace(line: string, at: number): boolean {
  return /\s/.test(line.charAt(at));
}
