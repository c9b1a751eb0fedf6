import { RE2JS } from 're2js';
import type { ParamDef, ParamScalar } from '../dag';
import { quote } from '../quote';

export type CheckedValue = { readonly value: ParamScalar } | { readonly problem: string };

/** Whether a value, which is always given as text, fits a declaration. The problem names the parameter. */
export function checkParamValue(definition: ParamDef, text: string, label: string): CheckedValue {
  const problem = (what: string) => ({ problem: `parameter ${label} ${what} (value: ${quote(text)})` });
  const value = toType(definition.type, text);
  if (value === undefined) return problem(`must be ${typeWords[definition.type]}`);
  if (definition.enum && !definition.enum.includes(value)) {
    return problem(`must be one of: ${definition.enum.map(String).join(', ')}`);
  }
  const broken = typeof value === 'number' ? rangeProblem(definition, value) : textProblem(definition, String(value));
  return broken === undefined ? { value } : problem(broken);
}

/** A pattern with RE2's syntax and linear time: a file cannot hold an expression that never ends. */
export function compilePattern(pattern: string): RE2JS | undefined {
  try {
    return RE2JS.compile(pattern);
  } catch {
    // The library throws for what is not a pattern; callers say so at its place.
    return undefined;
  }
}

const typeWords: Readonly<Record<ParamDef['type'], string>> = {
  string: 'a text',
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

function rangeProblem({ minimum, maximum }: ParamDef, value: number): string | undefined {
  if (minimum !== undefined && value < minimum) return `must be ${minimum} or more`;
  if (maximum !== undefined && value > maximum) return `must be ${maximum} or less`;
  return undefined;
}

function textProblem({ minLength, maxLength, pattern }: ParamDef, value: string): string | undefined {
  const length = Array.from(value).length;
  if (minLength !== undefined && length < minLength) return `must have ${minLength} characters or more`;
  if (maxLength !== undefined && length > maxLength) return `must have ${maxLength} characters or less`;
  if (pattern !== undefined && !compilePattern(pattern)?.matcher(value).find()) return `must match ${quote(pattern)}`;
  return undefined;
}
