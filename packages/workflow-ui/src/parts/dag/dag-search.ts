import { readChoice, readText } from '@weir/ui-kit/app';

/** The views of a DAG, in the order of their tabs; the first is shown where the address names none. */
export const dagTabs = ['overview', 'graph', 'spec', 'schedule', 'history', 'revisions', 'webhook'] as const;
export type DagTab = (typeof dagTabs)[number];

export interface DagSearch {
  readonly tab?: DagTab;
  /** The step that is selected in the graph. */
  readonly step?: string;
  /** Selects the statuses that the graph shows. */
  readonly statuses?: 'last';
  /** The revision that is shown. */
  readonly revision?: number;
  /** The newer and the older one of the runs that are compared. */
  readonly run?: string;
  readonly with?: string;
  /** The line of the spec at which the editor opens. */
  readonly line?: number;
  /** The revision that the shown one is compared with. */
  readonly from?: number;
}

export function readDagSearch(search: Readonly<Record<string, unknown>>): DagSearch {
  return {
    ...readChoice('tab', dagTabs, search),
    ...readText('step', search),
    ...readChoice('statuses', ['last'] as const, search),
    ...readText('run', search),
    ...readText('with', search),
    ...readNumber('revision', search),
    ...readNumber('from', search),
    ...readNumber('line', search),
  };
}

function readNumber<Name extends 'revision' | 'from' | 'line'>(
  name: Name,
  search: Readonly<Record<string, unknown>>,
): Partial<Record<Name, number>> {
  const value = search[name];
  const isUsable = typeof value === 'number' && Number.isInteger(value) && value > 0;
  // The type of a computed name is too wide.
  return (isUsable ? { [name]: value } : {}) as Partial<Record<Name, number>>;
}
