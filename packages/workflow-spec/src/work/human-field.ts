import type { ParamDef } from '../canonical/param';
import { checkParamValue } from '../params/param-value';
import { limits } from '../limits';
import { keySpec, objectKind } from '../read/object-kind';
import { objectShape, type Fields } from '../read/read-object';
import { readFilledText } from '../read/readers';
import { shape } from '../read/shape';
import { count, invalid, listOf, number, oneOf, text, unread } from '../read/shapes';
import { compact } from '../compact';
import { describePath } from '../yaml/node-place';
import { kindOf, report, textOf, type ValueKind, type YamlValue } from '../yaml/yaml-value';

const types = ['string', 'integer', 'number', 'boolean'] as const;
type FieldType = (typeof types)[number];

const scalar = { type: ['string', 'number', 'boolean'] };
const choices = { limit: limits.formChoices, code: 'invalid_value', what: 'the choices of a field' } as const;

const pattern = shape(
  (value) => {
    const found = readFilledText(value);
    const problem = found === undefined ? undefined : value.context.checkPattern(found);
    return problem === undefined ? found : invalid(value, problem);
  },
  { ...scalar, minLength: 1, maxLength: limits.patternLength },
);

const oneChoice = objectKind({
  title: 'choice of a field',
  keys: {
    const: keySpec('The value', unread(scalar), { required: true }),
    title: keySpec('What is shown', text),
  },
});

const fieldKind = objectKind({
  title: 'field of a form',
  keys: {
    type: keySpec('string, integer, number or boolean', oneOf(...types), { required: true }),
    title: keySpec('Label', text),
    description: keySpec('What is meant', text),
    default: keySpec('Value that is filled in', unread(scalar)),
    enum: keySpec('The values that may be chosen', listOf(unread(scalar), choices)),
    oneOf: keySpec(
      'The same with labels',
      listOf(
        objectShape(oneChoice, (fields) => fields.const?.value),
        choices,
      ),
    ),
    minimum: keySpec('Least number', number),
    maximum: keySpec('Greatest number', number),
    minLength: keySpec('Least number of characters', count),
    maxLength: keySpec('Greatest number of characters', count),
    pattern: keySpec('Regular expression that a text must match', pattern),
  },
});

type Rules = Omit<ParamDef, 'name' | 'required'>;
type FieldKeys = Fields<typeof fieldKind.keys>;

/** One field of a form; what is handed on is whether it could be read. */
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
    if (field && !allowed.includes(key)) invalid(field.source, `${key} means nothing for a field of type ${type}`);
  }
  checkOrder(fields.minimum?.value, fields.maximum, 'minimum');
  checkOrder(fields.minLength?.value, fields.maxLength, 'minLength');
  const list = fields.enum ?? fields.oneOf;
  if (fields.enum && fields.oneOf) {
    value.context.report.add('conflicting_keys', fields.oneOf.key, 'enum cannot be used together with oneOf');
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
    invalid(most.source, `must not be less than ${name}`);
  }
}

const kinds: Readonly<Record<FieldType, ValueKind>> = {
  string: 'text',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
};

function checkValue(value: YamlValue, definition: Rules): void {
  if (kindOf(value) === 'broken') return;
  if (kindOf(value) !== kinds[definition.type]) return invalid(value, `must be of type ${definition.type}`);
  const checked = checkParamValue(definition, textOf(value) ?? '', `'${describePath(value.path)}'`);
  if ('problem' in checked) report(value, 'invalid_value', checked.problem);
}

function typedValue(type: FieldType, value: YamlValue) {
  const checked = checkParamValue({ type }, textOf(value) ?? '', '');
  return 'value' in checked ? checked.value : undefined;
}
