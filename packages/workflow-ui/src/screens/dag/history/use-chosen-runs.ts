import { useState } from 'react';
import type { Cell } from './move-cell';
import type { History } from './to-history';

const mostChosen = 2;

/** The runs that are chosen to be compared, by their ids; the newest in the grid is the last of them. */
export function useChosenRuns({ runs }: History) {
  const [ids, setIds] = useState<readonly string[]>([]);
  const chosen = runs.map(({ dagRunId }) => dagRunId).filter((id) => ids.includes(id));
  const isChosen = (column: number): boolean => ids.includes(runs[column]?.dagRunId ?? '');
  /** A third one takes the place of the first. */
  const choose = ({ column }: Cell): void => {
    const id = runs[column]?.dagRunId;
    if (id === undefined) return;
    setIds(ids.includes(id) ? ids.filter((other) => other !== id) : [...ids, id].slice(-mostChosen));
  };
  return { chosen, isChosen, choose };
}
