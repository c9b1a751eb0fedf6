import { useCallback, useEffect, useState } from 'react';
import type { FoundLine, LogFindings, LogQuery, LogSource } from './log-source';

export interface FindQuery extends LogQuery {
  /** Whether only matches and their context are shown. */
  readonly isFilter: boolean;
  /** The number of context lines around each match, where it is a filter. */
  readonly context: number;
}

export interface LogFind {
  readonly query: FindQuery;
  readonly change: (changes: Partial<FindQuery>) => void;
  readonly isSearching: boolean;
  /** Undefined without a search. */
  readonly findings: LogFindings | undefined;
  readonly matches: readonly FoundLine[];
  readonly error: unknown;
  /** Continues where the last search has stopped. */
  readonly readMore: () => void;
}

/** The search starts this time after the last key. */
const settleMs = 200;
const none: readonly FoundLine[] = [];
export const noQuery: FindQuery = {
  text: '',
  isRegex: false,
  isCaseSensitive: false,
  isFilter: false,
  context: 2,
};

interface Result {
  readonly findings: LogFindings | undefined;
  readonly matches: readonly FoundLine[];
  readonly error: unknown;
}
const nothing: Result = { findings: undefined, matches: none, error: undefined };

/** Searches the whole log on the server while a person types. */
export function useLogFind(source: LogSource): LogFind {
  const [query, setQuery] = useState(noQuery);
  const [cursor, setCursor] = useState<string>();
  const [isSearching, setSearching] = useState(false);
  const [result, setResult] = useState(nothing);
  const { text, isRegex, isCaseSensitive, isFilter } = query;
  const context = isFilter ? query.context : 0;

  useEffect(() => {
    if (text === '') {
      setSearching(false);
      setResult(nothing);
      return undefined;
    }
    const stop = new AbortController();
    const search = async (): Promise<void> => {
      try {
        const options = { context, signal: stop.signal, ...(cursor === undefined ? {} : { cursor }) };
        const found = await source.search({ text, isRegex, isCaseSensitive }, options);
        if (stop.signal.aborted) return;
        setResult((known) => join(cursor === undefined ? nothing : known, found));
      } catch (error) {
        if (!stop.signal.aborted) setResult({ ...nothing, error });
      }
      if (!stop.signal.aborted) setSearching(false);
    };
    setSearching(true);
    const timer = setTimeout(() => void search(), cursor === undefined ? settleMs : 0);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [source, text, isRegex, isCaseSensitive, context, cursor]);

  const change = useCallback((changes: Partial<FindQuery>): void => {
    setCursor(undefined);
    setQuery((known) => ({ ...known, ...changes }));
  }, []);
  const next = result.findings?.nextCursor;
  const readMore = useCallback(() => setCursor(next), [next]);
  return { query, change, isSearching, ...result, readMore };
}

function join({ findings, matches }: Result, more: LogFindings): Result {
  return {
    findings: {
      ...more,
      groups: [...(findings?.groups ?? []), ...more.groups],
      // Each search counts only from its own start.
      matchingLines: matches.length + more.matchingLines,
    },
    matches: [...matches, ...more.groups.flatMap((group) => group.filter(({ isMatch }) => isMatch))],
    error: undefined,
  };
}
