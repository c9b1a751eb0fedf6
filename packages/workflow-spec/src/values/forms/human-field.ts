import type { ParamDef } from '../../model/param';
import { checkParamValue } from '../params/param-value';
import { limits } from '../../model/limits';
import { keySpec, objectKind } from '../../shapes/object-kind';
import { objectShape, type Fields } from '../../shapes/read-object';
import { readNonEmptyText } from '../../shapes/readers';
import { shape } from '../../shapes/shape';
import { count, reportInvalid, listShape, number, enumShape, text, rawShape, hasReference } from '../../shapes/shapes';
import { compact } from '../../model/compact';
import { describePath } from '../../source/findings/describe-path';
import { getKind, report, getText, type ValueKind, type YamlValue } from '../../source/yaml/yaml-value';

const types = ['string', 'integer', 'number', 'boolean'] as const;
type FieldType = (typeof types)[number];

const scalar = { type: ['string', 'number', 'boolean'] };
const choices = { limit: limits.formChoices, code: 'invalid_value', what: 'the choices of a field' } as const;

const pattern = shape(
  (value) => {
    const found = readNonEmptyText(value);
    const problem = found === undefined ? undefined : value.context.checkPattern(found);
    return problem === undefined ? found : reportInvalid(value, problem);
  },
  { ...scalar, minLength: 1, maxLength: limits.patternLength },
);

const oneChoice = objectKind({
  title: 'choice of a field',
  keys: {
    const: keySpec('The value', rawShape(scalar), { required: true }),
    title: keySpec('Label of the field', text),
  },
});

const fieldKind = objectKind({
  title: 'field of a form',
  keys: {
    type: keySpec('string, integer, number or boolean', enumShape(...types), { required: true }),
    title: keySpec('Label', text),
    description: keySpec('Explanation of the field', text),
    default: keySpec('Default value', rawShape(scalar)),
    enum: keySpec('The values that may be chosen', listShape(rawShape(scalar), choices)),
    oneOf: keySpec(
      'The same with labels',
      listShape(
        objectShape(oneChoice, (fields) => fields.const?.value),
        choices,
      ),
    ),
    minimum: keySpec('Minimum', number),
    maximum: keySpec('Maximum', number),
    minLength: keySpec('Minimum number of characters', count),
    maxLength: keySpec('Maximum number of characters', count),
    pattern: keySpec('Regular expression that a string must match', pattern),
  },
});

type Rules = Omit<ParamDef, 'name' | 'required'>;
type FieldKeys = Fields<typeof fieldKind.keys>;

/** One field of a form; reads to true when it is valid. */
export const humanField = objectShape(fieldKind, (fields, value) => {
  const type = fields.type?.value;
  if (type !== undefined) checkField(type, fields, value);
  return true;
});

const rules = {
  string: ['minLength', 'maxLength', 'pattern'],
  integer: ['minimum', 'maximum'],
  number: ['minimum', 'maximum'],
  boolean: [],
} as const satisfies Record<FieldType, readonly (keyof FieldKeys)[]>;

function checkField(type: FieldType, fields: FieldKeys, value: YamlValue): void {
  const allowed: readonly string[] = rules[type];
  for (const key of [...rules.string, ...rules.number]) {
    const field = fields[key];
    if (field && !allowed.includes(key))
      reportInvalid(field.source, `${key} means nothing for a field of type ${type}`);
  }
  checkOrder(fields.minimum?.value, fields.maximum, 'minimum');
  checkOrder(fields.minLength?.value, fields.maxLength, 'minLength');
  const list = fields.enum ?? fields.oneOf;
  if (fields.enum && fields.oneOf) {
    value.context.report.add('conflicting_keys', fields.oneOf.keyLocation, 'enum cannot be used together with oneOf');
  }
  for (const choice of list?.value ?? []) checkValue(choice, { type });
  const enumeration = list?.value?.map((choice) => typedValue(type, choice)).filter((each) => each !== undefined);
  if (fields.default?.value) {
    checkValue(fields.default.value, { type, ...toRules(fields), ...compact({ enum: enumeration }) });
  }
}

function toRules(fields: FieldKeys): Partial<Rules> {
  return compact({
    minimum: fields.minimum?.value,
    maximum: fields.maximum?.value,
    minLength: fields.minLength?.value,
    maxLength: fields.maxLength?.value,
    pattern: fields.pattern?.value,
  });
}

function checkOrder(least: number | undefined, most: FieldKeys['maximum'], name: string): void {
  if (least !== undefined && most?.value !== undefined && least > most.value) {
    reportInvalid(most.source, `must not be less than ${name}`);
  }
}

const kinds: Readonly<Record<FieldType, ValueKind>> = {
  string: 'text',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
};

function checkValue(value: YamlValue, definition: Rules): void {
  if (getKind(value) === 'broken') return;
  if (getKind(value) !== kinds[definition.type]) return reportInvalid(value, `must be of type ${definition.type}`);
  // The value is known when the task opens; then it counts as any other answer.
  if (hasReference(value)) return;
  const checked = checkParamValue(definition, getText(value) ?? '', `'${describePath(value.path)}'`);
  if ('problem' in checked) report(value, 'invalid_value', checked.problem);
}

function typedValue(type: FieldType, value: YamlValue) {
  const checked = checkParamValue({ type }, getText(value) ?? '', '');
  return 'value' in checked ? checked.value : undefined;
}
