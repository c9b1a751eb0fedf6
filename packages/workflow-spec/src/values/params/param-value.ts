import type { ParamDef, ParamScalar } from '../../model/param';
import { compilePattern } from '../../source/text/compile-pattern';
import { quote } from '../../source/text/quote';

type Rules = Omit<ParamDef, 'name' | 'required'> & Partial<Pick<ParamDef, 'required'>>;

export type CheckedValue = { readonly value: ParamScalar } | { readonly problem: string };

/** Checks a parameter value, which is always given as a string. The problem names the parameter. */
export function checkParamValue(definition: Rules, text: string, label: string): CheckedValue {
  const problem = (what: string) => ({ problem: `parameter ${label} ${what} (value: ${quote(text)})` });
  const value = toType(definition.type, text);
  if (value === undefined) return problem(`must be ${typeNames[definition.type]}`);
  if (definition.enum && !definition.enum.includes(value)) {
    return problem(`must be one of: ${definition.enum.map(String).join(', ')}`);
  }
  const broken = typeof value === 'number' ? rangeProblem(definition, value) : textProblem(definition, String(value));
  return broken === undefined ? { value } : problem(broken);
}

const typeNames: Readonly<Record<ParamDef['type'], string>> = {
  string: 'a string',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
};

function toType(type: ParamDef['type'], text: string): ParamScalar | undefined {
  switch (type) {
    case 'string':
      return text;
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : undefined;
    case 'integer':
      return /^[+-]?\d+$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : undefined;
    case 'number':
      return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) && Number.isFinite(Number(text))
        ? Number(text)
        : undefined;
  }
}

function rangeProblem({ minimum, maximum }: Rules, value: number): string | undefined {
  if (minimum !== undefined && value < minimum) return `must be ${minimum} or more`;
  if (maximum !== undefined && value > maximum) return `must be ${maximum} or less`;
  return undefined;
}

function textProblem({ minLength, maxLength, pattern }: Rules, value: string): string | undefined {
  const length = Array.from(value).length;
  if (minLength !== undefined && length < minLength) return `must have ${minLength} characters or more`;
  if (maxLength !== undefined && length > maxLength) return `must have ${maxLength} characters or less`;
  if (pattern !== undefined && !compilePattern(pattern)?.matcher(value).find()) return `must match ${quote(pattern)}`;
  return undefined;
}
