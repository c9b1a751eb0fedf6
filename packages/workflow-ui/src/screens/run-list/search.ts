import { readText } from '@weir/ui-kit/app';
import { formatTerms } from '../../parts/query-text/query-terms';
import { runStatuses, type RunStatusLabel } from '../../parts/run-statuses';

export interface RunListSearch {
  /** The query text of the list. */
  readonly q?: string;
  readonly cursor?: string;
  /** The run beside the list: the name of its DAG, a slash and its id. */
  readonly peek?: string;
}

/** Links may name a DAG or a status instead of writing a query text. */
export interface RunListLink extends RunListSearch {
  readonly name?: string;
  readonly status?: RunStatusLabel;
}

export function readRunListSearch(search: RunListLink): RunListSearch {
  return {
    ...readText('q', { q: search.q ?? toQuery(search) }),
    ...readText('cursor', { ...search }),
    ...readText('peek', { ...search }),
  };
}

function toQuery({ name, status }: RunListLink): string {
  const known = runStatuses.find((label) => label === status);
  return formatTerms([
    ...(typeof name === 'string' ? [{ key: '', value: name, isExcluded: false }] : []),
    ...(known === undefined ? [] : [{ key: 'status', value: known, isExcluded: false }]),
  ]);
}
