import type { JsonValue } from '@weir/workflow-spec';

const maxDepth = 64;
const maxValues = 1_000_000;

/** The problem never quotes the text. */
export type Decoded = { readonly value: JsonValue } | { readonly problem: string };

/** Parses a JSON text and checks that its value can be stored. */
export function decodeJson(text: string): Decoded {
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch {
    // The message of the parser would quote the text.
    return { problem: 'is not JSON' };
  }
  const problem = valueProblem(value);
  return problem === undefined ? { value } : { problem };
}

/** The reason why a value cannot be stored in an environment, a database and JSON; `undefined` when it can. */
export function valueProblem(value: unknown): string | undefined {
  let level: readonly unknown[] = [value];
  let count = 0;
  // Level by level, because recursion could overflow the stack.
  for (let depth = 0; level.length > 0; depth += 1) {
    count += level.length;
    if (depth > maxDepth) return `is nested deeper than ${maxDepth} levels`;
    if (count > maxValues) return `contains more than ${maxValues} values`;
    const problem = level.map(scalarProblem).find((each) => each !== undefined);
    if (problem !== undefined) return problem;
    level = level.flatMap(listParts);
  }
  return undefined;
}

export function textProblem(text: string): string | undefined {
  if (text.includes('\0')) return 'contains a NUL character';
  return /\p{Cs}/u.test(text) ? 'contains half of a character' : undefined;
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
  // Keys are checked like values.
  return Array.isArray(value) ? value : Object.entries(value).flat();
}
