import type { CatalogueEntry } from './catalogue-entry';

export const dagFindings = {
  invalid_dag_name: {
    severity: 'error',
    summary: 'A DAG name with a wrong length or character.',
  },
  missing_dag_name: {
    severity: 'error',
    summary: 'A document after the first one without a name.',
  },
  duplicate_dag_name: {
    severity: 'error',
    summary: 'Two documents of one file with the same name.',
  },
  chain_assumed: {
    severity: 'warning',
    summary:
      'Several steps without `type` and `depends` in a file with keys of 1.x, where they execute one after another.',
  },
  graph_assumed: {
    severity: 'warning',
    summary: 'Several steps without `type` and `depends`, which execute at the same time.',
  },
  invalid_label: {
    severity: 'error',
    summary: 'A label with a wrong length or character.',
  },
  invalid_env_name: {
    severity: 'error',
    summary: 'An invalid name of an environment variable.',
  },
  artifacts_off: {
    severity: 'error',
    summary: 'A step that needs artifacts in a DAG that switches them off.',
  },
  reserved_env_name: {
    severity: 'error',
    summary: 'An entry of `env` or a secret with the name of a variable about the run, which the run sets itself.',
  },
  env_order: {
    severity: 'warning',
    summary: 'An entry of `env` that reads itself, or an entry below it: entries are resolved from top to bottom.',
  },
  invalid_env_entry: {
    severity: 'error',
    summary: 'An environment entry that is not NAME=value.',
  },
  duplicate_name: {
    severity: 'error',
    summary: 'Two entries of one list with the same name.',
  },
  invalid_schedule: {
    severity: 'error',
    summary: 'An invalid schedule.',
  },
  setting_without_effect: {
    severity: 'warning',
    summary: 'A setting that this version reads and does not apply.',
  },
  schedule_never_due: {
    severity: 'warning',
    summary: 'A schedule for a date that never comes.',
  },
  uneven_schedule: {
    severity: 'warning',
    summary: 'A minute step that does not divide the hour.',
  },
} as const satisfies Record<string, CatalogueEntry>;
