import { useCallback, useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { sliceAround, sliceAtEnd, sliceFor, type LineSlice } from './line-slice';
import type { LogState, LogWindow } from './log-window';

export interface LineScroll {
  /** The scrolling element; its first child has the rows. */
  readonly pane: RefObject<HTMLDivElement | null>;
  /** The lines that are drawn. */
  readonly slice: LineSlice;
  /** The lines that are in view. */
  readonly view: LineSlice;
  readonly isFollowing: boolean;
  readonly onScroll: () => void;
  /** Shows a line in the middle, or at the top. */
  readonly goTo: (line: number, align: 'centre' | 'top') => void;
  /** Shows the end, and stays there. */
  readonly follow: () => void;
}

/** The view is at the end within this distance. */
const endPx = 24;

interface Anchor {
  readonly line: number;
  /** The position of its row in the pane. */
  top: number;
}

/**
 * Scrolls in a log of any length: the browser scrolls the drawn lines, and others are drawn before their edge is
 * reached, while the lines in view keep their position.
 */
export function useLineScroll(log: LogWindow, { totalLines, version }: LogState, startsAtEnd: boolean): LineScroll {
  const pane = useRef<HTMLDivElement>(null);
  const anchor = useRef<Anchor>(undefined);
  const target = useRef<{ readonly line: number; readonly align: 'centre' | 'top' }>(undefined);
  const [isFollowing, setFollowing] = useState(startsAtEnd);
  const [base, setBase] = useState<LineSlice>(() => sliceAround(1, totalLines));
  const [view, setView] = useState<LineSlice>({ first: 1, last: 1 });
  const slice = isFollowing ? sliceAtEnd(totalLines) : sliceFor(base, view, totalLines);

  const measure = useCallback((): LineSlice => {
    const seen = findView(pane.current, slice.first);
    setView((known) => (known.first === seen.first && known.last === seen.last ? known : seen));
    return seen;
  }, [slice.first]);

  const settle = useCallback((): void => {
    const element = pane.current;
    if (element === null) return;
    const row = (line: number): HTMLElement | undefined => rowAt(element, line - slice.first);
    const goal = target.current;
    const goalRow = goal === undefined ? undefined : row(goal.line);
    if (goal !== undefined && goalRow !== undefined) {
      const above = goal.align === 'top' ? 0 : (element.clientHeight - goalRow.offsetHeight) / 2;
      element.scrollTop = goalRow.offsetTop - above;
      anchor.current = { line: goal.line, top: goalRow.offsetTop };
      target.current = undefined;
    } else if (isFollowing) element.scrollTop = element.scrollHeight;
    else keepAnchor(element, anchor.current, row);
    measure();
  }, [slice.first, isFollowing, measure]);

  useLayoutEffect(() => {
    if (slice.first !== base.first || slice.last !== base.last) setBase(slice);
    settle();
  }, [slice, base, settle, version]);
  useResize(pane, settle);
  useEffect(() => log.show(view.first, view.last), [log, view, totalLines]);

  const onScroll = useCallback((): void => {
    const element = pane.current;
    if (element === null) return;
    const isAtEnd = element.scrollHeight - element.scrollTop - element.clientHeight <= endPx;
    if (isFollowing && !isAtEnd) {
      setBase(slice);
      setFollowing(false);
    }
    const { first } = measure();
    const top = rowAt(element, first - slice.first)?.offsetTop;
    anchor.current = top === undefined ? undefined : { line: first, top };
  }, [isFollowing, measure, slice]);

  const goTo = useCallback(
    (wanted: number, align: 'centre' | 'top'): void => {
      const line = Math.max(1, Math.min(wanted, totalLines));
      target.current = { line, align };
      setFollowing(false);
      setBase(sliceAround(line, totalLines));
      setView({ first: line, last: line });
    },
    [totalLines],
  );
  const follow = useCallback(() => setFollowing(true), []);
  return { pane, slice, view, isFollowing, onScroll, goTo, follow };
}

/** Rows above may have changed their heights, or may be new. */
function keepAnchor(
  element: HTMLElement,
  anchor: Anchor | undefined,
  row: (line: number) => HTMLElement | undefined,
): void {
  const top = anchor === undefined ? undefined : row(anchor.line)?.offsetTop;
  if (anchor === undefined || top === undefined || top === anchor.top) return;
  element.scrollTop += top - anchor.top;
  anchor.top = top;
}

function rowAt(element: HTMLElement, place: number): HTMLElement | undefined {
  const row = element.firstElementChild?.children[place];
  return row instanceof HTMLElement ? row : undefined;
}

function findView(element: HTMLElement | null, firstLine: number): LineSlice {
  const rows = element?.firstElementChild?.children;
  if (element === null || rows === undefined || rows.length === 0) return { first: firstLine, last: firstLine };
  const before = (height: number): number =>
    countBefore(rows.length, (place) => {
      const row = rowAt(element, place);
      return row !== undefined && row.offsetTop + row.offsetHeight <= height;
    });
  const first = Math.min(rows.length - 1, before(element.scrollTop));
  const last = Math.min(rows.length - 1, before(element.scrollTop + element.clientHeight));
  return { first: firstLine + first, last: firstLine + last };
}

/** Counts the positions before the first one for which the condition does not hold. */
function countBefore(count: number, holds: (place: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (holds(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

function useResize(pane: RefObject<HTMLDivElement | null>, onResize: () => void): void {
  const latest = useRef(onResize);
  useEffect(() => {
    latest.current = onResize;
  }, [onResize]);
  useEffect(() => {
    if (pane.current === null) return undefined;
    const observer = new ResizeObserver(() => latest.current());
    observer.observe(pane.current);
    return () => observer.disconnect();
  }, [pane]);
}
