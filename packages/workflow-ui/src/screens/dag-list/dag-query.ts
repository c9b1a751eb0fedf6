import type { Schemas } from '../../api/client';
import { formatTerm, freeText, labelFilter, parseTerms } from '../../parts/query-text/query-terms';

export type DagFilter = Schemas['DAGFilter'];

export interface DagQuery {
  readonly filter: DagFilter;
  /** Words that mean nothing here. */
  readonly unknown: readonly string[];
}

/** What a query text selects. */
export function readDagQuery(text: string): DagQuery {
  const terms = parseTerms(text);
  const isKnown = ({ key, isExcluded }: (typeof terms)[number]): boolean =>
    key === 'label' || (!isExcluded && (key === '' || key === 'group'));
  const known = terms.filter(isKnown);
  const [name, labels] = [freeText(known), labelFilter(known)];
  const group = known.findLast(({ key }) => key === 'group')?.value;
  return {
    filter: {
      ...(name === undefined ? {} : { name }),
      ...(labels === undefined ? {} : { labels }),
      ...(group === undefined ? {} : { group }),
    },
    unknown: terms.filter((term) => !isKnown(term)).map(formatTerm),
  };
}
