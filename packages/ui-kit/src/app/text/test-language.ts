import type { Messages } from '@lingui/core';

const accents: Readonly<Record<string, string>> = { a: 'á', e: 'ë', i: 'î', o: 'ø', u: 'ü', A: 'Å', E: 'É', O: 'Ö' };

/** English with accents and a third more letters: what stays plain was not translated, what is cut has no room. */
export function toTestLanguage(messages: Messages): Messages {
  return Object.fromEntries(
    Object.entries(messages).map(([id, message]) => [
      id,
      typeof message === 'string' ? accentuate(message) : message.map(accentuatePart),
    ]),
  );
}

type Part = Exclude<Messages[string], string>[number];

function accentuatePart(part: Part): Part {
  return typeof part === 'string' ? accentuate(part) : part;
}

function accentuate(text: string): string {
  return text.replace(/[aeiouAEO]/g, (letter) => {
    const accented = accents[letter] ?? letter;
    return letter === 'e' ? accented.repeat(2) : accented;
  });
}
