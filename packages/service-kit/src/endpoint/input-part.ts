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
  const problems = result.error.issues
    .slice(0, maxProblems)
    .map((issue) => ({ path: shorten([part, ...issue.path].join('.')), message: shorten(issue.message) }));
  const sentence = problems.map((problem) => `${problem.path}: ${problem.message}`).join('; ');
  throw new AppError('invalid_request', `The request is not valid: ${sentence}`, {
    reason: 'request_invalid',
    details: { problems },
  });
}

/** Paths and messages repeat keys that the caller chose, and those may be as long as the body. */
function shorten(text: string): string {
  return text.length > maxProblemLength ? `${text.slice(0, maxProblemLength)}…` : text;
}
