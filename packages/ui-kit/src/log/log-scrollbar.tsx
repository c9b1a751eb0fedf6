import { useRef, type PointerEvent, type ReactElement } from 'react';
import type { LineSlice } from './line-slice';
import styles from './log-scrollbar.module.css';

export interface LogScrollbarProps {
  readonly view: LineSlice;
  readonly totalLines: number;
  /** The lines that a search has found. */
  readonly marks: readonly number[];
  readonly onGoTo: (line: number) => void;
}

const smallestThumb = 0.04;
const maxMarks = 400;

/**
 * Shows the position of the view in the whole log, of any length: no element could be as high as a long log. It is
 * for the pointer alone; keys scroll the pane itself.
 */
export function LogScrollbar({ view, totalLines, marks, onGoTo }: LogScrollbarProps): ReactElement | null {
  const track = useRef<HTMLDivElement>(null);
  /** The point where the thumb was grabbed, as a part of the track. */
  const hold = useRef(0);
  const seen = view.last - view.first + 1;
  if (totalLines <= seen) return <div aria-hidden className={styles.track} />;
  const size = Math.max(smallestThumb, seen / totalLines);
  const place = Math.min(1, (view.first - 1) / (totalLines - seen)) * (1 - size);

  const partOf = (event: PointerEvent): number => {
    const box = track.current?.getBoundingClientRect();
    return box === undefined ? 0 : (event.clientY - box.top) / box.height;
  };
  const goTo = (part: number): void => {
    const share = Math.min(1, Math.max(0, part / (1 - size)));
    onGoTo(Math.max(1, Math.round(1 + share * (totalLines - seen))));
  };
  const begin = (event: PointerEvent<HTMLDivElement>): void => {
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
    const part = partOf(event);
    const isOnThumb = part >= place && part <= place + size;
    hold.current = isOnThumb ? part - place : size / 2;
    if (!isOnThumb) goTo(part - hold.current);
  };
  const drag = (event: PointerEvent<HTMLDivElement>): void => {
    if (event.currentTarget.hasPointerCapture(event.pointerId)) goTo(partOf(event) - hold.current);
  };
  return (
    <div ref={track} aria-hidden className={styles.track} onPointerDown={begin} onPointerMove={drag}>
      {marks.slice(0, maxMarks).map((line) => (
        <span key={line} className={styles.mark} style={{ top: `${((line - 1) / totalLines) * 100}%` }} />
      ))}
      <span className={styles.thumb} style={{ top: `${place * 100}%`, height: `${size * 100}%` }} />
    </div>
  );
}
