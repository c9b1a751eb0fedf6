import type { JsonSchema } from '../json-schema/json-schema';
import type { KeyTable, ObjectKind } from '../object-kind';
import type { Fields } from '../read-object';
import { report, type YamlValue } from '../../source/yaml/yaml-value';

/** Keys of one object that exclude each other. */
export interface KeyChoice {
  readonly keys: readonly string[];
  readonly isRequired: boolean;
}

export function atMostOne(...keys: readonly string[]): KeyChoice {
  return { keys, isRequired: false };
}

export function exactlyOne(...keys: readonly string[]): KeyChoice {
  return { keys, isRequired: true };
}

/** Reports keys that exclude each other, and a missing required choice. */
export function checkChoice<Keys extends KeyTable>(choice: KeyChoice, fields: Fields<Keys>, value: YamlValue): void {
  const given = choice.keys.flatMap((name) => {
    const field = fields[name];
    return field ? [{ name, field }] : [];
  });
  const [first, ...others] = given;
  if (!first && choice.isRequired) report(value, 'missing_key', `${choice.keys.join(' or ')} is required`);
  for (const { name, field } of others) {
    if (field.isMisspelled || first?.field.isMisspelled) continue;
    const message = `${name} cannot be used together with ${first?.name ?? ''}`;
    value.context.report.add('conflicting_keys', field.keyLocation, message);
  }
}

/** Returns the part that JSON Schema can express: an empty key counts as missing, so both keys may be present. */
export function choiceSchema<Keys extends KeyTable>(
  { keys, isRequired }: KeyChoice,
  kind: ObjectKind<Keys>,
): readonly JsonSchema[] {
  if (!isRequired) return [];
  const spellings = [...kind.spellings].filter(([, name]) => keys.includes(name));
  return [{ anyOf: spellings.map(([spelling]) => ({ required: [spelling] })) }];
}
