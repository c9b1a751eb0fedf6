import { memo, type ReactElement } from 'react';
import { classNames } from '../class-names';
import type { LogOptions } from './log-options';
import type { LogLine, Span } from './log-source';
import { LogText } from './log-text';
import type { LogTexts } from './log-texts';
import styles from './log-row.module.css';

/** The settings that all rows of a log share. */
export interface RowLook {
  readonly options: LogOptions;
  readonly texts: LogTexts;
  /** Formats times with one width. */
  readonly formatTime: (time: string) => string;
  /** Whether the log has both streams. */
  readonly hasStreams: boolean;
}

export interface LogRowProps {
  readonly number: number;
  /** Absent until it was read. */
  readonly line: LogLine | undefined;
  /** The attempt that begins here. */
  readonly attempt?: number | undefined;
  readonly spans?: readonly Span[] | undefined;
  readonly isSelected?: boolean;
  /** Whether it is the present match of the search. */
  readonly isCurrent?: boolean;
  readonly look: RowLook;
}

/**
 * A line with its number, its time and the attempt that begins with it, which are drawn instead of text, so that copies and the search of the browser
 * contain only the text of lines.
 */
export const LogRow = memo(function LogRow(props: LogRowProps): ReactElement {
  const { number, line, attempt, spans, isSelected = false, isCurrent = false, look } = props;
  const { options, texts, formatTime, hasStreams } = look;
  const isError = line?.stream === 'stderr';
  return (
    <div
      data-line={number}
      {...(options.wraps ? { 'data-wraps': '' } : {})}
      {...(attempt === undefined ? {} : { 'data-attempt': texts.attempt(attempt) })}
      className={classNames(
        styles.row,
        options.wraps && styles.wraps,
        isSelected && styles.selected,
        isCurrent && styles.current,
        isError && hasStreams && styles.error,
      )}
    >
      <span className={styles.gutter} data-number={number} aria-hidden />
      {options.times === 'none' ? null : (
        <span className={styles.time} data-time={line?.time === undefined ? '' : formatTime(line.time)} aria-hidden />
      )}
      {hasStreams ? (
        <span className={styles.stream} {...(isError ? { 'data-stream': texts.stderr } : {})} aria-hidden />
      ) : null}
      {line === undefined ? (
        <span className={styles.missing} />
      ) : (
        <LogText line={line} spans={spans} readsJson={options.readsJson} texts={texts} />
      )}
    </div>
  );
});
