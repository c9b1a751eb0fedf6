import type { CatalogueEntry } from './catalogue-entry';

export const keyFindings = {
  unknown_key: {
    severity: 'error',
    summary: 'A key that the language does not have.',
  },
  unsupported_key: {
    severity: 'error',
    summary: 'A key of the language that this version does not support.',
  },
  unsupported_value: {
    severity: 'error',
    summary: 'A value of the language that this version does not support.',
  },
  deprecated_key: {
    severity: 'warning',
    summary: 'A deprecated spelling of a key.',
  },
  conflicting_keys: {
    severity: 'error',
    summary: 'Keys that exclude each other.',
  },
  invalid_type: {
    severity: 'error',
    summary: 'A value of the wrong type.',
  },
  invalid_value: {
    severity: 'error',
    summary: 'A value that the key does not accept.',
  },
  missing_key: {
    severity: 'error',
    summary: 'A required key is missing.',
  },
} as const satisfies Record<string, CatalogueEntry>;
