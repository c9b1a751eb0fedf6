import { useEffect, useRef, useState } from 'react';
import type { SpecMeaning } from './language/check-spec';
import { Language } from './language/language';
import type { SpecKind } from './language/spec-kind';

/** The text is read this time after the last key. The first text is read at once, because proposals name its content. */
const settleMs = 300;
const nothing: SpecMeaning = { findings: [], steps: [], params: [], consts: [], paramsSchema: {}, fires: [] };

/** Returns the language while an editor is on the page. */
export function useLanguage(): Language | undefined {
  const [language, setLanguage] = useState<Language>();
  useEffect(() => {
    const started = new Language();
    setLanguage(started);
    return () => started.close();
  }, []);
  return language;
}

export interface MeaningOf {
  readonly kind: SpecKind;
  readonly text: string;
  readonly name: string;
  readonly base: string | undefined;
}

/** Returns the meaning of the text, shortly after the last key. */
export function useMeaning(language: Language | undefined, { kind, text, name, base }: MeaningOf): SpecMeaning {
  const [meaning, setMeaning] = useState(nothing);
  const isRead = useRef(false);
  useEffect(() => {
    if (language === undefined) return undefined;
    let isLatest = true;
    const ask = (): void => {
      isRead.current = true;
      void language.ask('check', { kind, text, name, base }).then((result) => {
        if (isLatest) setMeaning(result);
      });
    };
    const timer = setTimeout(ask, isRead.current ? settleMs : 0);
    return () => {
      isLatest = false;
      clearTimeout(timer);
    };
  }, [language, kind, text, name, base]);
  return meaning;
}
