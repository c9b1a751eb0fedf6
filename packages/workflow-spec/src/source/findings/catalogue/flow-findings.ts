import type { CatalogueEntry } from './catalogue-entry';

export const flowFindings = {
  policy_without_effect: { severity: 'warning' },
  condition_is_text: { severity: 'warning' },
  not_in_handler: { severity: 'error' },
  approval_not_here: { severity: 'error' },
  rewind_not_upstream: { severity: 'error' },
} as const satisfies Record<string, CatalogueEntry>;
