import { AppError } from '@weir/foundation';
import type { z } from 'zod';

const maxProblems = 20;
const maxProblemLength = 200;

/** Parses a part of a request. Throws `invalid_request`, reason `request_invalid`, with the first 20 problems. */
export function parseInputPart<Schema extends z.ZodType>(
  part: 'path' | 'query' | 'body',
  schema: Schema,
  value: unknown,
): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw invalidPart(part, result.error.issues);
}

/**
 * Throws like `parseInputPart` where an object of the value has a field that the schema has left out. For requests
 * whose author must not believe in a limit that nobody knows.
 */
export function assertNoFieldIgnored(value: unknown, parsed: unknown): void {
  const ignored = listIgnored(value, parsed, []);
  if (ignored.length === 0) return;
  throw invalidPart(
    'body',
    ignored.map((path) => ({ path, message: 'This operation has no such field.' })),
  );
}

function listIgnored(value: unknown, parsed: unknown, path: readonly string[]): readonly (readonly string[])[] {
  if (!isContainer(value) || !isContainer(parsed)) return [];
  return Object.entries(value).flatMap(([key, part]) => {
    const place = [...path, key];
    return Object.hasOwn(parsed, key) ? listIgnored(part, Reflect.get(parsed, key), place) : [place];
  });
}

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;

interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

function invalidPart(part: string, issues: readonly Issue[]): AppError {
  const problems = issues
    .slice(0, maxProblems)
    .map((issue) => ({ path: shorten([part, ...issue.path].join('.')), message: shorten(issue.message) }));
  const sentence = problems.map((problem) => `${problem.path}: ${problem.message}`).join('; ');
  return new AppError('invalid_request', `The request is not valid: ${sentence}`, {
    reason: 'request_invalid',
    details: { problems },
  });
}

/** Paths and messages repeat keys that the caller chose, and those may be as long as the body. */
function shorten(text: string): string {
  return text.length > maxProblemLength ? `${text.slice(0, maxProblemLength)}…` : text;
}
