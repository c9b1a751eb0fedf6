import type { CatalogueEntry } from './catalogue-entry';

export const outputFindings = {
  invalid_output_name: {
    severity: 'error',
    summary: 'A name of an output with a wrong character.',
  },
  invalid_json_schema: {
    severity: 'error',
    summary: 'A JSON Schema that cannot be used.',
  },
  deprecated_value: {
    severity: 'warning',
    summary: 'A deprecated form of a value.',
  },
} as const satisfies Record<string, CatalogueEntry>;
