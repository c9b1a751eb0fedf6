import type { CatalogueEntry } from './catalogue-entry';

export const paramFindings = {
  invalid_param: { severity: 'error' },
  command_is_text: { severity: 'warning' },
  duplicate_param: { severity: 'error' },
} as const satisfies Record<string, CatalogueEntry>;
