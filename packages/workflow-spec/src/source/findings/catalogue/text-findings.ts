import type { CatalogueEntry } from './catalogue-entry';

export const textFindings = {
  text_too_large: {
    severity: 'error',
    summary: 'The text is longer than the limit.',
  },
  text_too_complex: {
    severity: 'error',
    summary: 'The text has too many tokens, documents or values.',
  },
  nesting_too_deep: {
    severity: 'error',
    summary: 'Lists and maps are nested deeper than the limit.',
  },
  too_many_findings: {
    severity: 'error',
    summary: 'There are more findings than are shown.',
  },
  invalid_character: {
    severity: 'error',
    summary: 'A control character or half of a surrogate pair.',
  },
  yaml_syntax: {
    severity: 'error',
    summary: 'The text is not valid YAML.',
  },
  yaml_warning: {
    severity: 'warning',
    summary: 'YAML that is valid, but probably not read as intended.',
  },
  unsupported_tag: {
    severity: 'error',
    summary: 'A YAML tag other than those of the core schema.',
  },
  unknown_alias: {
    severity: 'error',
    summary: 'An alias whose anchor does not come before it.',
  },
  recursive_alias: {
    severity: 'error',
    summary: 'An alias inside its own value.',
  },
  alias_expansion: {
    severity: 'error',
    summary: 'Aliases repeat more values than the limit.',
  },
  merge_key: {
    severity: 'error',
    summary: 'A merge key whose value is no map.',
  },
  invalid_key: {
    severity: 'error',
    summary: 'A key that is not a short string.',
  },
  duplicate_key: {
    severity: 'error',
    summary: 'The same key twice in one map.',
  },
  empty_document: {
    severity: 'error',
    summary: 'There is no DAG in the text.',
  },
} as const satisfies Record<string, CatalogueEntry>;
