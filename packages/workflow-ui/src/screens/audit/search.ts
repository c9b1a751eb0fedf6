import { readChoice, readPage, readText } from '@weir/ui-kit/app';
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

export function readAuditSearch(search: Readonly<Record<string, unknown>>): AuditSearch {
  return {
    ...readText('q', search),
    ...readChoice('category', auditCategories, search),
    ...readChoice('result', auditResults, search),
    ...readChoice('since', auditPeriods, search),
    ...readPage(search),
    ...readText('entry', search),
  };
}
