import { scopeOf, type WorkspaceSearch } from '../../parts/workspace/workspace-search';
import { dagListSource } from '../../parts/dag/dag-list-source';
import { readDagQuery } from './dag-query';
import type { DagListSearch } from './search';

/** Returns the page that an address names. */
export function dagListSourceOf({ q = '', page, sort, order, ws }: DagListSearch & WorkspaceSearch) {
  const { filter } = readDagQuery(q, scopeOf({ ws }));
  const rest = { ...(page === undefined ? {} : { page }), ...(sort && { sort }), ...(order && { order }) };
  return dagListSource({ ...filter, ...rest });
}
