import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, type RefObject } from 'react';
import type { Cell } from './move-cell';
import type { History } from './to-history';

/** The side of a cell. */
export const cellPx = 26;

/** Returns the visible rows and columns; at first those of the newest runs. */
export function useCells(box: RefObject<HTMLDivElement | null>, { runs, steps }: History, namePx: number) {
  const rows = useVirtualizer({
    count: steps.length,
    getScrollElement: () => box.current,
    estimateSize: () => cellPx,
    // The days and the runs stay above the steps.
    scrollPaddingStart: 2 * cellPx,
    overscan: 8,
  });
  const columns = useVirtualizer({
    horizontal: true,
    count: runs.length,
    getScrollElement: () => box.current,
    estimateSize: () => cellPx,
    scrollPaddingEnd: namePx,
    overscan: 8,
  });
  const count = runs.length;
  useEffect(() => columns.scrollToIndex(count - 1), [columns, count]);
  const show = ({ row, column }: Cell): void => {
    if (row > 0) rows.scrollToIndex(row - 1);
    columns.scrollToIndex(column);
  };
  return { rows, columns, show };
}
