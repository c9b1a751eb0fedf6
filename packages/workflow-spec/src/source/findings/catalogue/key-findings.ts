import type { CatalogueEntry } from './catalogue-entry';

export const keyFindings = {
  unknown_key: { severity: 'error' },
  unsupported_key: { severity: 'error' },
  unsupported_value: { severity: 'error' },
  deprecated_key: { severity: 'warning' },
  conflicting_keys: { severity: 'error' },
  invalid_type: { severity: 'error' },
  invalid_value: { severity: 'error' },
  missing_key: { severity: 'error' },
} as const satisfies Record<string, CatalogueEntry>;
