import { keySpec } from '../../shapes/object-kind';
import type { Field } from '../../shapes/read-object';
import type { JsonValue } from '../../model/json';
import { anyJson, nonEmptyText, text } from '../../shapes/shapes';
import { report, type YamlValue } from '../../source/yaml/yaml-value';
import { defineAction } from './define-action';
import { atMostOne } from '../../shapes/settings/key-choice';
import { flag, whole, word } from '../../shapes/settings/setting-shapes';

const keyspace = {
  scope: keySpec(
    'Owner of the entry: dag (default), root_dag, global or custom',
    word('dag', 'root_dag', 'global', 'custom'),
  ),
  namespace: keySpec('Name of the custom scope', nonEmptyText),
};
const key = keySpec('Name of the entry', nonEmptyText, { required: true });
const value = keySpec('The value', anyJson, { required: true });
const expected_version = keySpec('Only if the entry has this version', whole(0));

interface KeyspaceFields {
  readonly scope?: Field<JsonValue>;
  readonly namespace?: Field<JsonValue>;
}

const keyspaceCheck = {
  check: ({ scope, namespace }: KeyspaceFields, settings: YamlValue): void => {
    if (scope?.value === 'custom' && !namespace) {
      report(settings, 'missing_key', 'namespace is required when scope is custom');
    }
  },
};

/** A small store of values that outlives runs; every change of an entry increments its version. */
export const stateActions = [
  defineAction('state.get', {
    description: 'Reads an entry',
    execution: 'in-process',
    restart: true,
    keys: {
      ...keyspace,
      key,
      default: keySpec('Default if the entry does not exist', anyJson),
      required: keySpec('Fail the step if the entry does not exist', flag),
    },
    ...keyspaceCheck,
  }),
  defineAction('state.set', {
    description: 'Writes an entry',
    execution: 'in-process',
    restart: false,
    keys: { ...keyspace, key, value, expected_version, create_only: keySpec('Only if the entry does not exist', flag) },
    choices: [atMostOne('expected_version', 'create_only')],
    ...keyspaceCheck,
  }),
  defineAction('state.delete', {
    description: 'Deletes an entry',
    execution: 'in-process',
    restart: false,
    keys: { ...keyspace, key, expected_version, required: keySpec('Fail the step if the entry does not exist', flag) },
    ...keyspaceCheck,
  }),
  defineAction('state.list', {
    description: 'Lists entries',
    execution: 'in-process',
    restart: true,
    keys: {
      ...keyspace,
      prefix: keySpec('Only names with this prefix', text),
      limit: keySpec('Maximum number of entries', whole(1, 10_000)),
      include_values: keySpec('Include the values', flag),
    },
    ...keyspaceCheck,
  }),
  defineAction('state.diff', {
    description: 'Compares a value with the entry',
    execution: 'in-process',
    restart: ({ update = false }) => update === false,
    keys: { ...keyspace, key, value, update: keySpec('Write the value if it differs', flag) },
    ...keyspaceCheck,
  }),
] as const;
