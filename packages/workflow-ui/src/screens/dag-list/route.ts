import { createRoute } from '@tanstack/react-router';
import { rootRoute } from '../../app/root-route';
import { readPage, readText } from '../../app/search-values';
import { DagListScreen } from './dag-list-screen';

export interface DagListSearch {
  readonly name?: string;
  readonly page?: number;
  readonly sort?: 'nextRun';
  readonly order?: 'desc';
}

export const dagListRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/dags',
  validateSearch: (search: Record<string, unknown>): DagListSearch => ({
    ...readText('name', search),
    ...readPage(search),
    ...(search.sort === 'nextRun' ? { sort: 'nextRun' } : {}),
    ...(search.order === 'desc' ? { order: 'desc' } : {}),
  }),
  component: DagListScreen,
});
