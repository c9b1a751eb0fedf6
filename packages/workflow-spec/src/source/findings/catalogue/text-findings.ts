import type { CatalogueEntry } from './catalogue-entry';

export const textFindings = {
  text_too_large: { severity: 'error' },
  text_too_complex: { severity: 'error' },
  nesting_too_deep: { severity: 'error' },
  too_many_findings: { severity: 'error' },
  invalid_character: { severity: 'error' },
  yaml_syntax: { severity: 'error' },
  yaml_warning: { severity: 'warning' },
  unsupported_tag: { severity: 'error' },
  unknown_alias: { severity: 'error' },
  recursive_alias: { severity: 'error' },
  alias_expansion: { severity: 'error' },
  merge_key: { severity: 'error' },
  invalid_key: { severity: 'error' },
  duplicate_key: { severity: 'error' },
  empty_document: { severity: 'error' },
} as const satisfies Record<string, CatalogueEntry>;
