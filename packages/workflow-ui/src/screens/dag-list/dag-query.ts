import type { Schemas } from '../../api/client';
import type { WorkspaceScope } from '../../parts/workspace/workspace-search';
import { formatTerm, freeText, labelFilter, parseTerms, type QueryTerm } from '../../parts/query-text/query-terms';
import { runStatuses, statusNumber } from '../../parts/run-statuses';

export type DagFilter = Schemas['DAGFilter'];

export interface DagQuery {
  readonly filter: DagFilter;
  /** Words without a meaning here. */
  readonly unknown: readonly string[];
}

/** This word selects schedules that are switched off. */
const suspendedWord = 'suspended';

/** Returns what a query text selects. */
export function readDagQuery(text: string, scope: WorkspaceScope = {}): DagQuery {
  const terms = parseTerms(text);
  const known = terms.filter(isKnown);
  const [name, labels] = [freeText(known.filter((term) => !isSuspended(term))), labelFilter(known)];
  const group = known.findLast(({ key }) => key === 'group')?.value;
  const suspended = known.findLast(isSuspended);
  const status = readStatuses(known);
  return {
    filter: {
      ...scope,
      ...(name === undefined ? {} : { name }),
      ...(labels === undefined ? {} : { labels }),
      ...(group === undefined ? {} : { group }),
      ...(status === undefined ? {} : { status }),
      ...(suspended === undefined ? {} : { suspended: !suspended.isExcluded }),
    },
    unknown: terms.filter((term) => !isKnown(term)).map(formatTerm),
  };
}

function isKnown(term: QueryTerm): boolean {
  const { key, value, isExcluded } = term;
  if (key === 'status') return runStatuses.some((status) => status === value);
  return key === 'label' || isSuspended(term) || (!isExcluded && (key === '' || key === 'group'));
}

function isSuspended({ key, value }: QueryTerm): boolean {
  return key === '' && value === suspendedWord;
}

/** Returns the named statuses, or all except the excluded ones. */
function readStatuses(terms: readonly QueryTerm[]): DagFilter['status'] {
  const named = terms.filter(({ key }) => key === 'status');
  if (named.length === 0) return undefined;
  const has = (isExcluded: boolean, status: string): boolean =>
    named.some((term) => term.isExcluded === isExcluded && term.value === status);
  const asked = named.some(({ isExcluded }) => !isExcluded);
  return runStatuses
    .filter((status) => !has(true, status) && (!asked || has(false, status)))
    .map((status) => statusNumber(status));
}
