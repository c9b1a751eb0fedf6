import { readPage, readText } from '@weir/ui-kit/app';

export interface DagListSearch {
  /** The query text of the list. */
  readonly q?: string;
  readonly page?: number;
  readonly sort?: 'nextRun';
  readonly order?: 'desc';
  /** The file of the DAG beside the list. */
  readonly peek?: string;
}

export function readDagListSearch(search: Readonly<Record<string, unknown>>): DagListSearch {
  return {
    ...readText('q', search),
    ...readPage(search),
    ...(search.sort === 'nextRun' ? { sort: 'nextRun' } : {}),
    ...(search.order === 'desc' ? { order: 'desc' } : {}),
    ...readText('peek', search),
  };
}
