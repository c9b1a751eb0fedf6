import type { CatalogueEntry } from './catalogue-entry';

/** None of these is an error: a reference without a value stays in its string unchanged. */
export const referenceFindings = {
  reference_unknown_step: {
    severity: 'warning',
    summary: 'A reference to a step that does not exist.',
  },
  reference_unknown_output: {
    severity: 'warning',
    summary: 'A reference to an output that the step does not have.',
  },
  reference_unknown_name: {
    severity: 'warning',
    summary: 'A reference to a parameter, a constant or a loop item that is not declared.',
  },
  reference_not_upstream: {
    severity: 'warning',
    summary: 'A reference to a step that may not have ended when its value is used.',
  },
  reference_self: {
    severity: 'warning',
    summary: 'A step that refers to its own outputs.',
  },
  reference_namespace_unavailable: {
    severity: 'warning',
    summary: 'A reference to a value that is not available in this context.',
  },
  reference_unknown_context_field: {
    severity: 'warning',
    summary: 'A reference to a field that the context of a run does not have.',
  },
  reference_at_run_time: {
    severity: 'info',
    summary: 'A reference whose value is known only at run time.',
  },
  reference_raw: {
    severity: 'warning',
    summary: 'A value that becomes a part of the code of a command.',
  },
  reference_positional_in_script: {
    severity: 'warning',
    summary: 'A parameter by its position, such as `$1`, in a script of a language that does not read it.',
  },
  reference_in_nested_code: {
    severity: 'warning',
    summary: 'A reference in code that another program executes: a run fails when the value is more than a plain word.',
  },
} as const satisfies Record<string, CatalogueEntry>;
