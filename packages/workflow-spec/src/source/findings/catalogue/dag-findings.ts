import type { CatalogueEntry } from './catalogue-entry';

export const dagFindings = {
  invalid_dag_name: { severity: 'error' },
  missing_dag_name: { severity: 'error' },
  duplicate_dag_name: { severity: 'error' },
  chain_assumed: { severity: 'warning' },
  graph_assumed: { severity: 'warning' },
  invalid_label: { severity: 'error' },
  invalid_env_name: { severity: 'error' },
  artifacts_off: { severity: 'error' },
  reserved_env_name: { severity: 'error' },
  env_order: { severity: 'warning' },
  invalid_env_entry: { severity: 'error' },
  duplicate_name: { severity: 'error' },
  invalid_schedule: { severity: 'error' },
  setting_without_effect: { severity: 'warning' },
  schedule_never_due: { severity: 'warning' },
  uneven_schedule: { severity: 'warning' },
} as const satisfies Record<string, CatalogueEntry>;
