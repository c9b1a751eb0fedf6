import type { JsonValue } from '@weir/workflow-spec';

const maxDepth = 64;
const maxValues = 1_000_000;

/** The problem never repeats the text. */
export type Decoded = { readonly value: JsonValue } | { readonly problem: string };

/** The value of a JSON text, when it can be stored and written again. */
export function decodeJson(text: string): Decoded {
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch {
    // The message of the parser quotes the text.
    return { problem: 'is not JSON' };
  }
  const problem = valueProblem(value);
  return problem === undefined ? { value } : { problem };
}

/** Why a value cannot be an output: no environment, database or JSON text could hold it. */
export function valueProblem(value: unknown): string | undefined {
  let level: readonly unknown[] = [value];
  let count = 0;
  // Level by level, because a value of many levels would be too deep for functions that call themselves.
  for (let depth = 0; level.length > 0; depth += 1) {
    count += level.length;
    if (depth > maxDepth) return `is nested deeper than ${maxDepth} levels`;
    if (count > maxValues) return `holds more than ${maxValues} values`;
    const problem = level.map(scalarProblem).find((each) => each !== undefined);
    if (problem !== undefined) return problem;
    level = level.flatMap(listParts);
  }
  return undefined;
}

export function textProblem(text: string): string | undefined {
  if (text.includes('\0')) return 'holds a NUL character';
  return /\p{Cs}/u.test(text) ? 'holds half of a character' : undefined;
}

function scalarProblem(value: unknown): string | undefined {
  switch (typeof value) {
    case 'string':
      return textProblem(value);
    case 'number':
      return Number.isFinite(value) ? undefined : 'holds a number that is too large';
    case 'boolean':
    case 'object':
      return undefined;
    default:
      return 'is no JSON value';
  }
}

function listParts(value: unknown): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  // Keys are texts like any other.
  return Array.isArray(value) ? value : Object.entries(value).flat();
}
