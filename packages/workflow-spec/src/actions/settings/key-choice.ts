import type { JsonSchema } from '../../json-schema/json-schema';
import type { KeyTable, ObjectKind } from '../../shapes/object-kind';
import type { Fields } from '../../shapes/read-object';
import { report, type YamlValue } from '../../yaml/yaml-value';

/** Keys of one object of which one excludes the others. */
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

/** Reports keys that exclude each other, and the choice that was not made. */
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

/** What a JSON Schema can say of it: an empty key counts as not given, so keys that exclude each other may both stand. */
export function choiceSchema<Keys extends KeyTable>(
  { keys, isRequired }: KeyChoice,
  kind: ObjectKind<Keys>,
): readonly JsonSchema[] {
  if (!isRequired) return [];
  const spellings = [...kind.spellings].filter(([, name]) => keys.includes(name));
  return [{ anyOf: spellings.map(([spelling]) => ({ required: [spelling] })) }];
}
