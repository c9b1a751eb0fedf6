import type { CatalogueEntry } from './catalogue-entry';

export const workFindings = {
  action_not_locked: {
    severity: 'error',
    summary: 'A packaged action whose commit and checksum are not in `action_lock`.',
  },
  unknown_action: {
    severity: 'error',
    summary: 'An action or deprecated step type that does not exist.',
  },
  invalid_route: {
    severity: 'error',
    summary: 'A route that a router cannot take.',
  },
  human_task_not_allowed: {
    severity: 'error',
    summary: 'A human task where it is not allowed: in a loop.',
  },
  invalid_custom_action: {
    severity: 'error',
    summary: 'A custom action with an invalid name or a name already in use.',
  },
  invalid_template: {
    severity: 'error',
    summary: 'A template of a custom action that cannot be filled.',
  },
} as const satisfies Record<string, CatalogueEntry>;
