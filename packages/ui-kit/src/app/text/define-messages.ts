import { i18n, type Messages } from '@lingui/core';
import { useLingui } from '@lingui/react';
import { useCallback } from 'react';

export const languages = ['en', 'en-XA'] as const;
export type Language = (typeof languages)[number];

type Values = Readonly<Record<string, string | number | Date>>;
export type Translate<Id extends string> = (id: Id, values?: Values) => string;

/**
 * Registers the texts of a `messages.json`, and returns the hook that reads them. Ids are unique in the whole
 * interface: they begin with the name of their screen.
 */
export function defineMessages<Texts extends Readonly<Record<string, string>>>(
  texts: Texts,
): () => Translate<keyof Texts & string> {
  // The build has replaced each text by its compiled message.
  const messages = texts as unknown as Messages;
  i18n.load({ en: messages, 'en-XA': toTestLanguage(messages) });
  return function useMessages() {
    const { i18n: current } = useLingui();
    return useCallback((id, values) => current._(id, values), [current]);
  };
}

const accents: Readonly<Record<string, string>> = { a: 'á', e: 'ë', i: 'î', o: 'ø', u: 'ü', A: 'Å', E: 'É', O: 'Ö' };

/** Makes English longer by a third and adds accents: plain text was not translated, and cut text has no room. */
function toTestLanguage(messages: Messages): Messages {
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
