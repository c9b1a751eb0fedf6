import { compact } from '../../model/compact';
import type { ParamDef, ParamScalar } from '../../model/param';
import { limits } from '../../model/limits';
import { quote } from '../../source/text/quote';
import { keySpec, objectKind } from '../../shapes/object-kind';
import { readObject, type Field, type Fields } from '../../shapes/read-object';
import { readText, reportWrongKind, type Reader } from '../../shapes/readers';
import { shape } from '../../shapes/shape';
import { boolean, count, nonEmptyText, reportInvalid, number, text } from '../../shapes/shapes';
import { getItems, getKind, report, type YamlValue } from '../../source/yaml/yaml-value';
import { invalidParamName, paramNamePattern } from './param-words';
import { checkParamValue } from './param-value';

const types = ['string', 'integer', 'number', 'boolean'] as const satisfies readonly ParamDef['type'][];

const readEnum: Reader<readonly YamlValue[]> = (value) => {
  if (getKind(value) !== 'list') return reportWrongKind(value, 'a list with at least one value');
  return getItems(value).length > 0 ? getItems(value) : reportInvalid(value, 'must be a list with at least one value');
};

/** The keys shared by all forms of a parameter with rules. */
export const paramRuleKeys = {
  default: keySpec('Default value', text),
  description: keySpec('What the parameter is for', text),
  type: keySpec('string (default), integer, number or boolean', shape(readText, { enum: types })),
  enum: keySpec(
    'Allowed values',
    shape(readEnum, { type: 'array', items: { type: ['string', 'number', 'boolean'] }, minItems: 1 }),
  ),
  minimum: keySpec('Minimum', number),
  maximum: keySpec('Maximum', number),
  min_length: keySpec('Minimum number of characters', count),
  max_length: keySpec('Maximum number of characters', count),
  pattern: keySpec(
    'Regular expression the value must match',
    shape(readText, { type: ['string', 'number', 'boolean'], maxLength: limits.patternLength }),
  ),
} as const;

/** The caller checks the name, because it knows the other forms. */
export const richParamKind = objectKind({
  title: 'parameter',
  keys: {
    name: keySpec('Name of the parameter', text),
    eval: keySpec(
      'String with references and command substitutions that is evaluated when no value is given',
      nonEmptyText,
    ),
    required: keySpec('Whether a value must be given when a run starts', boolean),
    ...paramRuleKeys,
  },
});

type RichFields = Fields<typeof richParamKind.keys>;
export type ParamRules = Fields<typeof paramRuleKeys>;

export const readRichParam: Reader<ParamDef> = (value) => {
  const fields = readObject(value, richParamKind)?.fields;
  if (!fields) return undefined;
  const name = readName(fields, value);
  const rules = readParamRules(fields, name ?? '');
  if (name === undefined) return undefined;
  return { name, required: fields.required?.value ?? false, ...compact({ eval: fields.eval?.value }), ...rules };
};

/** Reads the type and rules of a parameter and reports those that contradict each other. */
export function readParamRules(fields: ParamRules, name: string): Omit<ParamDef, 'name' | 'eval' | 'required'> {
  const label = quote(name);
  const type = readType(fields.type, label);
  // When the type is unreadable, rules that depend on it are not checked.
  if (type === undefined) return { type: 'string', ...compact({ description: fields.description?.value }) };
  checkRules(fields, type, label);
  const bare = compact({
    type,
    description: fields.description?.value,
    minimum: fields.minimum?.value,
    maximum: fields.maximum?.value,
    minLength: fields.min_length?.value,
    maxLength: fields.max_length?.value,
    pattern: readPattern(fields.pattern, label),
  });
  const rules = { ...bare, ...compact({ enum: readChoices(fields, type, label) }) };
  return { ...rules, ...compact({ default: readDefault(fields.default, rules, label) }) };
}

function readType(type: Field<string> | undefined, label: string): ParamDef['type'] | undefined {
  if (!type) return 'string';
  const known = types.find((each) => each === type.value);
  if (known === undefined && type.value !== undefined) {
    const message = `the type of parameter ${label} must be one of: ${types.join(', ')} (value: ${quote(type.value)})`;
    report(type.source, 'invalid_value', message);
  }
  return known;
}

function readPattern(pattern: Field<string> | undefined, label: string): string | undefined {
  if (pattern?.value === undefined) return undefined;
  const problem = pattern.source.context.checkPattern(pattern.value);
  if (problem === undefined) return pattern.value;
  const message = `the pattern ${quote(pattern.value)} of parameter ${label} cannot be used: ${problem}`;
  report(pattern.source, 'invalid_param', message);
  return undefined;
}

export function readDefault(
  preset: Field<string> | undefined,
  rules: Omit<ParamDef, 'name' | 'required'>,
  label: string,
): ParamScalar | undefined {
  return preset?.value === undefined ? undefined : checkValueAt(preset.source, rules, preset.value, label);
}

function readName({ name }: RichFields, value: YamlValue): string | undefined {
  if (!name) {
    report(value, 'missing_key', 'a parameter with rules must have a name');
    return undefined;
  }
  if (name.value === undefined || paramNamePattern.test(name.value)) return name.value;
  report(name.source, 'invalid_param', invalidParamName(name.value));
  return undefined;
}

function checkRules(fields: ParamRules, type: ParamDef['type'], label: string): void {
  const isNumber = type === 'integer' || type === 'number';
  for (const field of isNumber ? [] : [fields.minimum, fields.maximum]) {
    if (field)
      report(field.source, 'invalid_param', `parameter ${label} of type ${type} cannot have minimum or maximum`);
  }
  for (const field of type === 'string' ? [] : [fields.min_length, fields.max_length, fields.pattern]) {
    if (field)
      report(field.source, 'invalid_param', `parameter ${label} of type ${type} cannot have a length or a pattern`);
  }
  for (const [low, high] of [
    [fields.minimum, fields.maximum],
    [fields.min_length, fields.max_length],
  ]) {
    if (low?.value === undefined || high?.value === undefined || low.value <= high.value) continue;
    report(high.source, 'invalid_param', `parameter ${label} has a maximum below its minimum`);
  }
}

function readChoices(fields: ParamRules, type: ParamDef['type'], label: string): readonly ParamScalar[] | undefined {
  const choices = fields.enum?.value?.flatMap((item) => {
    const text = readText(item);
    return text === undefined ? [] : (checkValueAt(item, { type }, text, label) ?? []);
  });
  return choices && choices.length > 0 ? choices : undefined;
}

function checkValueAt(
  source: YamlValue,
  rules: Omit<ParamDef, 'name' | 'required'>,
  text: string,
  label: string,
): ParamScalar | undefined {
  const checked = checkParamValue(rules, text, label);
  if ('value' in checked) return checked.value;
  report(source, 'invalid_param', checked.problem);
  return undefined;
}
