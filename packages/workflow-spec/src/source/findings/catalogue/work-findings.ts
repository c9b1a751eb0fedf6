import type { CatalogueEntry } from './catalogue-entry';

export const workFindings = {
  action_not_locked: { severity: 'error' },
  unknown_action: { severity: 'error' },
  invalid_route: { severity: 'error' },
  human_task_not_allowed: { severity: 'error' },
  invalid_custom_action: { severity: 'error' },
  invalid_template: { severity: 'error' },
} as const satisfies Record<string, CatalogueEntry>;
