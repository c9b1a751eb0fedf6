import type { CatalogueEntry } from './catalogue-entry';

export const paramFindings = {
  invalid_param: {
    severity: 'error',
    summary: 'A parameter whose declaration contradicts itself.',
  },
  command_is_text: {
    severity: 'warning',
    summary: 'A command in the default of a parameter or in env, where it is a plain string and is never executed.',
  },
  duplicate_param: {
    severity: 'error',
    summary: 'Two parameters with the same name.',
  },
} as const satisfies Record<string, CatalogueEntry>;
