import type { CatalogueEntry } from './catalogue-entry';

export const stepFindings = {
  too_many_steps: { severity: 'error' },
  too_many_dependencies: { severity: 'error' },
  invalid_step_name: { severity: 'error' },
  duplicate_step_name: { severity: 'error' },
  invalid_step_id: { severity: 'error' },
  reserved_step_id: { severity: 'warning' },
  duplicate_step_id: { severity: 'error' },
  parallel_group: { severity: 'error' },
  depends_not_allowed: { severity: 'error' },
  unknown_dependency: { severity: 'error' },
  unknown_step: { severity: 'error' },
  self_dependency: { severity: 'error' },
  duplicate_dependency: { severity: 'warning' },
  untrimmed_dependency: { severity: 'warning' },
  dependency_cycle: { severity: 'error' },
} as const satisfies Record<string, CatalogueEntry>;
