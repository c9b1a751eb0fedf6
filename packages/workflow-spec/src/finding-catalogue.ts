import type { FindingSeverity } from './finding';

interface CatalogueEntry {
  readonly severity: FindingSeverity;
  readonly summary: string;
}

/** Every code a finding can have. Codes are stable: programs compare them, people read the message. */
export const findingCatalogue = {
  text_too_large: { severity: 'error', summary: 'The text is longer than the limit.' },
  text_too_complex: { severity: 'error', summary: 'The text has too many tokens, documents or values.' },
  nesting_too_deep: { severity: 'error', summary: 'Lists and maps are nested deeper than the limit.' },
  too_many_findings: { severity: 'error', summary: 'There is more to say than is shown.' },
  invalid_character: { severity: 'error', summary: 'A control character or half of a surrogate pair.' },
  yaml_syntax: { severity: 'error', summary: 'The text is not YAML.' },
  yaml_warning: { severity: 'warning', summary: 'YAML that is read, but probably not as meant.' },
  unsupported_tag: { severity: 'error', summary: 'A YAML tag other than those of the core schema.' },
  unknown_alias: { severity: 'error', summary: 'An alias whose anchor does not come before it.' },
  recursive_alias: { severity: 'error', summary: 'An alias inside the value it stands for.' },
  alias_expansion: { severity: 'error', summary: 'Aliases repeat more values than the limit.' },
  merge_key: { severity: 'error', summary: 'The merge key, which is not a part of YAML 1.2.' },
  invalid_key: { severity: 'error', summary: 'A key that is not a short text.' },
  duplicate_key: { severity: 'error', summary: 'The same key twice in one map.' },
  unknown_key: { severity: 'error', summary: 'A key that the language does not have.' },
  unsupported_key: { severity: 'error', summary: 'A key of the language that this version does not support.' },
  unsupported_value: { severity: 'error', summary: 'A value of the language that this version does not support.' },
  deprecated_key: { severity: 'warning', summary: 'An old spelling of a key.' },
  conflicting_keys: { severity: 'error', summary: 'Keys that exclude each other.' },
  empty_document: { severity: 'error', summary: 'There is no DAG in the text.' },
  invalid_type: { severity: 'error', summary: 'A value of another kind than the key takes.' },
  invalid_value: { severity: 'error', summary: 'A value that the key does not take.' },
  missing_key: { severity: 'error', summary: 'A required key is missing.' },
  invalid_dag_name: { severity: 'error', summary: 'A DAG name with a wrong length or character.' },
  missing_dag_name: { severity: 'error', summary: 'A further document without a name.' },
  duplicate_dag_name: { severity: 'error', summary: 'Two documents of one file with the same name.' },
  invalid_label: { severity: 'error', summary: 'A label with a wrong length or character.' },
  invalid_env_name: { severity: 'error', summary: 'Not a name for an environment variable.' },
  invalid_env_entry: { severity: 'error', summary: 'An environment entry that is not NAME=value.' },
  invalid_schedule: { severity: 'error', summary: 'A schedule that cannot be read.' },
  schedule_never_due: { severity: 'warning', summary: 'A schedule for a date that never comes.' },
  uneven_schedule: { severity: 'warning', summary: 'A minute step that does not divide the hour.' },
  invalid_param: { severity: 'error', summary: 'A parameter whose declaration does not fit together.' },
  duplicate_param: { severity: 'error', summary: 'Two parameters with the same name.' },
  too_many_steps: { severity: 'error', summary: 'More steps than the limit.' },
  too_many_dependencies: { severity: 'error', summary: 'More dependencies than the limit.' },
  invalid_step_name: { severity: 'error', summary: 'A step name with a wrong length or character.' },
  duplicate_step_name: { severity: 'error', summary: 'Two steps with the same name.' },
  invalid_step_id: { severity: 'error', summary: 'A step ID with a wrong form, or a reserved word.' },
  duplicate_step_id: { severity: 'error', summary: 'Two steps with the same ID.' },
  parallel_group: { severity: 'error', summary: 'A nested list of steps where none may be.' },
  depends_not_allowed: { severity: 'error', summary: 'Dependencies in a chain.' },
  unknown_dependency: { severity: 'error', summary: 'A dependency on a step that is not there.' },
  self_dependency: { severity: 'error', summary: 'A step that depends on itself.' },
  duplicate_dependency: { severity: 'warning', summary: 'A dependency named twice.' },
  dependency_cycle: { severity: 'error', summary: 'Steps that wait for each other.' },
} as const satisfies Record<string, CatalogueEntry>;

/** The code of a {@link Finding}. */
export type FindingCode = keyof typeof findingCatalogue;
