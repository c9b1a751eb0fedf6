import type { CatalogueEntry } from './catalogue-entry';

/** None of these is an error: a reference without a value stays in its string unchanged. */
export const referenceFindings = {
  reference_unknown_step: { severity: 'warning' },
  reference_unknown_output: { severity: 'warning' },
  reference_unknown_name: { severity: 'warning' },
  reference_not_upstream: { severity: 'warning' },
  reference_self: { severity: 'warning' },
  reference_namespace_unavailable: { severity: 'warning' },
  reference_unknown_context_field: { severity: 'warning' },
  reference_orders_steps: { severity: 'info' },
  reference_at_run_time: { severity: 'info' },
  reference_raw: { severity: 'warning' },
  reference_positional_in_script: { severity: 'warning' },
  reference_in_nested_code: { severity: 'warning' },
} as const satisfies Record<string, CatalogueEntry>;
