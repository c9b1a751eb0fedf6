import { i18n, type Messages } from '@lingui/core';
import { useLingui } from '@lingui/react';
import { useCallback } from 'react';
import { toTestLanguage } from './test-language';

export const languages = ['en', 'en-XA'] as const;
export type Language = (typeof languages)[number];

type Values = Readonly<Record<string, string | number | Date>>;
export type Translate<Id extends string> = (id: Id, values?: Values) => string;

/**
 * Makes the texts of a `messages.json` known, and returns the hook that reads them. Ids are unique in the whole
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
