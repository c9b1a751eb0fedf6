import { memo, type KeyboardEvent, type MouseEvent, type ReactElement } from 'react';
import type { LineRange } from './line-range';
import { extendRange } from './line-range';
import type { LineSlice } from './line-slice';
import { LogRow, type RowLook } from './log-row';
import type { Span } from './log-source';
import type { LogWindow } from './log-window';
import type { LineScroll } from './use-line-scroll';
import styles from './log-view.module.css';

export interface LogPaneProps {
  readonly log: LogWindow;
  /** Changes when the log has read more. */
  readonly version: number;
  readonly scroll: LineScroll;
  readonly look: RowLook;
  readonly selection: LineRange | undefined;
  readonly onSelect: (range: LineRange | undefined) => void;
  /** The matches in lines that a search has found. */
  readonly spans: ReadonlyMap<number, readonly Span[]>;
  readonly currentLine: number | undefined;
  readonly onEdge: (edge: 'start' | 'end') => void;
}

/** The lines around the view. */
export function LogPane(props: LogPaneProps): ReactElement {
  const { scroll, look, onEdge, ...rows } = props;
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Home' && event.key !== 'End') return;
    event.preventDefault();
    onEdge(event.key === 'Home' ? 'start' : 'end');
  };
  return (
    <div
      ref={scroll.pane}
      role="log"
      aria-live="off"
      aria-label={look.texts.log}
      tabIndex={0}
      className={styles.pane}
      onScroll={scroll.onScroll}
      onKeyDown={onKeyDown}
    >
      <Rows {...rows} look={look} slice={scroll.slice} />
    </div>
  );
}

type RowsProps = Omit<LogPaneProps, 'scroll' | 'onEdge'> & { readonly slice: LineSlice };

const Rows = memo(function Rows(props: RowsProps): ReactElement {
  const { log, look, selection, onSelect, spans, currentLine, slice } = props;
  const select = (event: MouseEvent): void => {
    const number = numberAt(event);
    if (number === undefined) return;
    const isOnly = selection?.first === number && selection.last === number;
    if (event.shiftKey && selection !== undefined) onSelect(extendRange(selection.first, number));
    else onSelect(isOnly ? undefined : { first: number, last: number });
  };
  const numbers = Array.from({ length: Math.max(0, slice.last - slice.first + 1) }, (_, place) => slice.first + place);
  return (
    // The field for line numbers lets the keyboard select lines.
    <div onClick={select} data-digits={String(slice.last).length}>
      {numbers.map((number) => (
        <LogRow
          key={number}
          number={number}
          line={log.line(number)}
          attempt={log.attemptAt(number)}
          spans={spans.get(number)}
          isSelected={selection !== undefined && number >= selection.first && number <= selection.last}
          isCurrent={number === currentLine}
          look={look}
        />
      ))}
    </div>
  );
});

/** Returns the line whose number was clicked. */
export function numberAt({ target }: MouseEvent): number | undefined {
  if (!(target instanceof HTMLElement) || target.dataset.number === undefined) return undefined;
  return Number(target.dataset.number);
}
