import type { FieldValue, SchemaField } from './schema-fields';

/** The typed or chosen texts by field; empty for no value. */
export type FormTexts = Readonly<Record<string, string>>;

/** The reason why a text is no value of its field. */
export type FieldProblem =
  | { readonly kind: 'missing' | 'integer' | 'number' | 'option' }
  | { readonly kind: 'minimum' | 'maximum' | 'minLength' | 'maxLength'; readonly limit: number }
  | { readonly kind: 'pattern'; readonly pattern: string };

export interface FormResult {
  /** The values by field, without fields that were left empty. */
  readonly values: Readonly<Record<string, FieldValue>>;
  readonly problems: Readonly<Record<string, FieldProblem>>;
}

export function initialTexts(fields: readonly SchemaField[], given: Readonly<Record<string, unknown>> = {}): FormTexts {
  return Object.fromEntries(
    fields.map(({ name, type, default: value }) => {
      const known = given[name] ?? value ?? (type === 'boolean' ? false : '');
      return [name, typeof known === 'string' ? known : JSON.stringify(known)];
    }),
  );
}

/** Reads the texts by the rules of their fields. */
export function readForm(fields: readonly SchemaField[], texts: FormTexts): FormResult {
  const values: Record<string, FieldValue> = {};
  const problems: Record<string, FieldProblem> = {};
  for (const field of fields) {
    const text = texts[field.name] ?? '';
    if (text === '') {
      if (field.isRequired) problems[field.name] = { kind: 'missing' };
      continue;
    }
    const value = toValue(field, text);
    const problem = value === undefined ? { kind: field.type as 'integer' | 'number' } : checkValue(field, value);
    if (problem !== undefined) problems[field.name] = problem;
    else if (value !== undefined) values[field.name] = value;
  }
  return { values, problems };
}

function toValue({ type }: SchemaField, text: string): FieldValue | undefined {
  if (type === 'string') return text;
  if (type === 'boolean') return text === 'true';
  const number = Number(text);
  const isRight = Number.isFinite(number) && text.trim() !== '' && (type === 'number' || Number.isSafeInteger(number));
  return isRight ? number : undefined;
}

function checkValue(field: SchemaField, value: FieldValue): FieldProblem | undefined {
  const { options, minimum, maximum, minLength, maxLength, pattern } = field;
  if (options !== undefined) return options.some((option) => option.value === value) ? undefined : { kind: 'option' };
  if (typeof value === 'number') {
    if (minimum !== undefined && value < minimum) return { kind: 'minimum', limit: minimum };
    if (maximum !== undefined && value > maximum) return { kind: 'maximum', limit: maximum };
  }
  if (typeof value !== 'string') return undefined;
  const { length } = Array.from(value);
  if (minLength !== undefined && length < minLength) return { kind: 'minLength', limit: minLength };
  if (maxLength !== undefined && length > maxLength) return { kind: 'maxLength', limit: maxLength };
  return pattern === undefined || matches(pattern, value) ? undefined : { kind: 'pattern', pattern };
}

/** The server checks patterns that the browser does not understand. */
function matches(pattern: string, value: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(value);
  } catch {
    return true;
  }
}

/** Returns the values that differ from the defaults: only those have to be sent. */
export function changedValues(
  fields: readonly SchemaField[],
  values: FormResult['values'],
): Readonly<Record<string, FieldValue>> {
  const defaults = new Map(
    fields.map(({ name, type, default: value }) => [name, value ?? (type === 'boolean' ? false : undefined)]),
  );
  return Object.fromEntries(Object.entries(values).filter(([name, value]) => defaults.get(name) !== value));
}
