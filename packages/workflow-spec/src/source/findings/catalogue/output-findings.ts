import type { CatalogueEntry } from './catalogue-entry';

export const outputFindings = {
  invalid_output_name: { severity: 'error' },
  invalid_json_schema: { severity: 'error' },
  deprecated_value: { severity: 'warning' },
} as const satisfies Record<string, CatalogueEntry>;
