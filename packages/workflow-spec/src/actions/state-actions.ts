import { keySpec } from '../shapes/object-kind';
import type { Field } from '../shapes/read-object';
import type { JsonValue } from '../model/json';
import { anyJson, nonEmptyText, text } from '../shapes/shapes';
import { report, type YamlValue } from '../yaml/yaml-value';
import { defineAction } from './define-action';
import { atMostOne } from './settings/key-choice';
import { flag, whole, word } from './settings/setting-shapes';

const keyspace = {
  scope: keySpec('Whose state: dag (default), root_dag, global or custom', word('dag', 'root_dag', 'global', 'custom')),
  namespace: keySpec('Name of the custom scope', nonEmptyText),
};
const key = keySpec('Name of the entry', nonEmptyText, { required: true });
const value = keySpec('The value', anyJson, { required: true });
const expected_version = keySpec('Only when the entry has this version', whole(0));

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
      default: keySpec('Value when there is no entry', anyJson),
      required: keySpec('No entry fails the step', flag),
    },
    ...keyspaceCheck,
  }),
  defineAction('state.set', {
    description: 'Writes an entry',
    execution: 'in-process',
    restart: false,
    keys: { ...keyspace, key, value, expected_version, create_only: keySpec('Only when there is no entry', flag) },
    choices: [atMostOne('expected_version', 'create_only')],
    ...keyspaceCheck,
  }),
  defineAction('state.delete', {
    description: 'Deletes an entry',
    execution: 'in-process',
    restart: false,
    keys: { ...keyspace, key, expected_version, required: keySpec('No entry fails the step', flag) },
    ...keyspaceCheck,
  }),
  defineAction('state.list', {
    description: 'Lists entries',
    execution: 'in-process',
    restart: true,
    keys: {
      ...keyspace,
      prefix: keySpec('Only names that begin so', text),
      limit: keySpec('Most entries', whole(1, 10_000)),
      include_values: keySpec('With their values', flag),
    },
    ...keyspaceCheck,
  }),
  defineAction('state.diff', {
    description: 'Tells whether a value differs from the entry',
    execution: 'in-process',
    restart: ({ update = false }) => update === false,
    keys: { ...keyspace, key, value, update: keySpec('Write the value when it differs', flag) },
    ...keyspaceCheck,
  }),
] as const;
