import { useCallback, useEffect, useMemo, useRef, useState, type RefObject } from 'react';
import type { LogSource, Span } from './log-source';
import { useLogFind, type LogFind } from './use-log-find';

export interface LogSearch {
  readonly isOpen: boolean;
  readonly open: () => void;
  readonly close: () => void;
  readonly input: RefObject<HTMLInputElement | null>;
  readonly find: LogFind;
  /** The position of the shown match, from 0. */
  readonly place: number;
  readonly step: (by: 1 | -1) => void;
  readonly currentLine: number | undefined;
  /** The matching lines. */
  readonly lines: readonly number[];
  readonly spans: ReadonlyMap<number, readonly Span[]>;
  /** Whether only matches are shown. */
  readonly isFiltering: boolean;
}

/** Searches a log from match to match, beginning at the view. */
export function useLogSearch(
  source: LogSource,
  goTo: (line: number, align: 'centre') => void,
  viewLine: number,
): LogSearch {
  const find = useLogFind(source);
  const [isOpen, setOpen] = useState(false);
  const [place, setPlace] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  const { matches, findings, readMore, change, query } = find;
  const lines = useMemo(() => matches.map(({ number }) => number), [matches]);
  const spans = useMemo(() => new Map(matches.map((match) => [match.number, match.spans])), [matches]);
  const currentLine = isOpen ? lines[place] : undefined;

  const start = useRef(viewLine);
  useEffect(() => {
    if (currentLine === undefined) start.current = viewLine;
  }, [currentLine, viewLine]);
  const [firstMatch] = lines;
  useEffect(() => {
    const next = lines.findIndex((line) => line >= start.current);
    setPlace(Math.max(0, next));
    // Further matches of the same search do not move the view.
  }, [firstMatch, query.text, query.isRegex, query.isCaseSensitive]);
  useEffect(() => {
    if (currentLine !== undefined && !query.isFilter) goTo(currentLine, 'centre');
  }, [currentLine, query.isFilter, goTo]);

  const step = useCallback(
    (by: 1 | -1): void => {
      const next = place + by;
      if (next >= lines.length && findings?.nextCursor !== undefined) readMore();
      if (lines.length > 0 && (next < lines.length || findings?.nextCursor === undefined))
        setPlace((next + lines.length) % lines.length);
    },
    [place, lines, findings, readMore],
  );
  const open = useCallback((): void => {
    setOpen(true);
    input.current?.select();
  }, []);
  const close = useCallback((): void => {
    setOpen(false);
    change({ text: '' });
  }, [change]);
  const isFiltering = isOpen && query.isFilter && query.text !== '';
  return { isOpen, open, close, input, find, place, step, currentLine, lines, spans, isFiltering };
}
