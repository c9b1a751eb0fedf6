import type { CatalogueEntry } from './catalogue-entry';

export const flowFindings = {
  policy_without_effect: {
    severity: 'warning',
    summary: 'A policy, or part of one, that has no effect.',
  },
  condition_is_text: {
    severity: 'warning',
    summary: 'A command in a condition that is compared as a string and never executed.',
  },
  not_in_handler: {
    severity: 'error',
    summary: 'A key or an action that a lifecycle step cannot have.',
  },
  approval_not_here: {
    severity: 'error',
    summary: 'An approval of a step that is executed by a worker or in a loop.',
  },
  rewind_not_upstream: {
    severity: 'error',
    summary: 'A push-back to a step that is not upstream of the approval.',
  },
} as const satisfies Record<string, CatalogueEntry>;
