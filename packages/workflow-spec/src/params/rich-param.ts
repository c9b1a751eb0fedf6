import { compact } from '../compact';
import type { ParamDef, ParamScalar } from '../dag';
import { limits } from '../limits';
import { quote } from '../quote';
import { keySpec, objectKind } from '../read/object-kind';
import { readObject, type Fields } from '../read/read-object';
import { readBoolean, readCount, readNumber, readText, wrongKind, type Reader } from '../read/readers';
import { itemsOf, kindOf, report, type YamlValue } from '../yaml/yaml-value';
import { paramNamePattern } from './param-words';
import { checkParamValue, compilePattern } from './param-value';

const types = ['string', 'integer', 'number', 'boolean'] as const;

const readType: Reader<ParamDef['type']> = (value) => {
  const text = readText(value);
  const type = types.find((known) => known === text);
  if (text !== undefined && !type)
    report(value, 'invalid_value', `type of a parameter must be one of: ${types.join(', ')}`);
  return type;
};

const readPattern: Reader<string> = (value) => {
  const pattern = readText(value);
  if (pattern === undefined || (pattern.length <= limits.paramPatternLength && compilePattern(pattern))) return pattern;
  report(value, 'invalid_param', `the pattern ${quote(pattern)} is not a regular expression (RE2 syntax)`);
  return undefined;
};

const readEnum: Reader<readonly YamlValue[]> = (value) => {
  if (kindOf(value) === 'list' && itemsOf(value).length > 0) return itemsOf(value);
  wrongKind(value, 'a list with at least one value');
  return undefined;
};

/** Checks of a parameter's name are the caller's, who knows the other forms too. */
export const richParamKind = objectKind({
  title: 'parameter',
  keys: {
    name: keySpec('Name of the parameter', readText),
    default: keySpec('Value when none is given', readText),
    description: keySpec('What the parameter is for', readText),
    type: keySpec('string (default), integer, number or boolean', readType),
    required: keySpec('Whether a run must be given a value', readBoolean),
    enum: keySpec('The only values allowed', readEnum),
    minimum: keySpec('Smallest number', readNumber),
    maximum: keySpec('Largest number', readNumber),
    min_length: keySpec('Fewest characters', readCount),
    max_length: keySpec('Most characters', readCount),
    pattern: keySpec('Regular expression the value must match', readPattern),
  },
  unsupported: { eval: 'a default that is computed when the run starts' },
});

type RichFields = Fields<typeof richParamKind.keys>;

/** A parameter written with its type and rules. */
export const readRichParam: Reader<ParamDef> = (value) => {
  const fields = readObject(value, richParamKind)?.fields;
  if (!fields) return undefined;
  const name = readName(fields, value);
  const type = fields.type?.value ?? 'string';
  checkRules(fields, type, name);
  const bare = compact({
    name,
    type,
    description: fields.description?.value,
    required: fields.required?.value ?? false,
    minimum: fields.minimum?.value,
    maximum: fields.maximum?.value,
    minLength: fields.min_length?.value,
    maxLength: fields.max_length?.value,
    pattern: fields.pattern?.value,
  });
  const label = quote(name ?? '');
  const choices = readChoices(fields, bare, label);
  const definition = choices ? { ...bare, enum: choices } : bare;
  const preset = readDefault(fields, definition, label);
  return name === undefined ? undefined : { ...definition, ...(preset === undefined ? {} : { default: preset }) };
};

function readName({ name }: RichFields, value: YamlValue): string | undefined {
  if (!name) {
    report(value, 'missing_key', 'a parameter with rules must have a name');
    return undefined;
  }
  if (name.value === undefined || paramNamePattern.test(name.value)) return name.value;
  report(name.source, 'invalid_param', invalidParamName(name.value));
  return undefined;
}

export function invalidParamName(name: string): string {
  return `parameter ${quote(name)} must have a name of letters, digits and underscores that begins with a letter`;
}

function checkRules(fields: RichFields, type: ParamDef['type'], name: string | undefined): void {
  const label = quote(name ?? '');
  const isNumber = type === 'integer' || type === 'number';
  for (const field of isNumber ? [] : [fields.minimum, fields.maximum]) {
    if (field) report(field.source, 'invalid_param', `parameter ${label} of type ${type} has no minimum or maximum`);
  }
  for (const field of type === 'string' ? [] : [fields.min_length, fields.max_length, fields.pattern]) {
    if (field) report(field.source, 'invalid_param', `parameter ${label} of type ${type} has no length or pattern`);
  }
  for (const [low, high] of [
    [fields.minimum, fields.maximum],
    [fields.min_length, fields.max_length],
  ]) {
    if (low?.value === undefined || high?.value === undefined || low.value <= high.value) continue;
    report(high.source, 'invalid_param', `parameter ${label} has a largest value below its smallest`);
  }
}

function readChoices(fields: RichFields, { type }: ParamDef, label: string): readonly ParamScalar[] | undefined {
  const choices = fields.enum?.value?.flatMap((item) => {
    const text = readText(item);
    return text === undefined ? [] : (checkAt(item, { type, required: false }, text, label) ?? []);
  });
  return choices && choices.length > 0 ? choices : undefined;
}

function readDefault(fields: RichFields, definition: ParamDef, label: string): ParamScalar | undefined {
  const preset = fields.default;
  return preset?.value === undefined ? undefined : checkAt(preset.source, definition, preset.value, label);
}

function checkAt(place: YamlValue, definition: ParamDef, text: string, label: string): ParamScalar | undefined {
  const checked = checkParamValue(definition, text, label);
  if ('value' in checked) return checked.value;
  report(place, 'invalid_param', checked.problem);
  return undefined;
}
