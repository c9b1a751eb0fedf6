import type { CatalogueEntry } from './catalogue-entry';

export const stepFindings = {
  too_many_steps: {
    severity: 'error',
    summary: 'More steps than the limit.',
  },
  too_many_dependencies: {
    severity: 'error',
    summary: 'More dependencies than the limit.',
  },
  invalid_step_name: {
    severity: 'error',
    summary: 'A step name with a wrong length or character.',
  },
  duplicate_step_name: {
    severity: 'error',
    summary: 'Two steps with the same name.',
  },
  invalid_step_id: {
    severity: 'error',
    summary: 'A step ID with a wrong form, or a reserved word.',
  },
  reserved_step_id: {
    severity: 'warning',
    summary: 'A step ID that short references read as something else.',
  },
  duplicate_step_id: {
    severity: 'error',
    summary: 'Two steps with the same ID.',
  },
  parallel_group: {
    severity: 'error',
    summary: 'A nested list of steps where none is allowed.',
  },
  depends_not_allowed: {
    severity: 'error',
    summary: 'Dependencies in a chain.',
  },
  unknown_dependency: {
    severity: 'error',
    summary: 'A dependency on a step that does not exist.',
  },
  unknown_step: {
    severity: 'error',
    summary: 'A reference by name to a step that does not exist.',
  },
  self_dependency: {
    severity: 'error',
    summary: 'A step that depends on itself.',
  },
  duplicate_dependency: {
    severity: 'warning',
    summary: 'A duplicate dependency.',
  },
  untrimmed_dependency: {
    severity: 'warning',
    summary: 'White space around the name of a dependency.',
  },
  dependency_cycle: {
    severity: 'error',
    summary: 'Steps that wait for each other.',
  },
} as const satisfies Record<string, CatalogueEntry>;
