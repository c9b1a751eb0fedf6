import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../app/root-route';
import { readChoice, readPage, readText } from '../../app/search-values';
import { auditCategories, auditPeriods, auditResults } from './audit-filters';

export interface AuditSearch {
  readonly q?: string;
  readonly category?: (typeof auditCategories)[number];
  readonly result?: (typeof auditResults)[number];
  readonly since?: (typeof auditPeriods)[number];
  readonly page?: number;
  /** Id of the entry that is shown beside the list. */
  readonly entry?: string;
}

export const auditRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/audit',
  validateSearch: (search: Record<string, unknown>): AuditSearch => ({
    ...readText('q', search),
    ...readChoice('category', auditCategories, search),
    ...readChoice('result', auditResults, search),
    ...readChoice('since', auditPeriods, search),
    ...readPage(search),
    ...readText('entry', search),
  }),
  component: lazyRouteComponent(() => import('./audit-screen'), 'AuditScreen'),
});
