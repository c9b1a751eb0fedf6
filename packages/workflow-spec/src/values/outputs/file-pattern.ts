import { readNonEmptyText } from '../../shapes/readers';
import { shape } from '../../shapes/shape';
import { reportInvalid } from '../../shapes/shapes';

/** A relative path, in which `*`, `?` and `**` stand for names. */
export const filePattern = shape<string>(
  (value) => {
    const found = readNonEmptyText(value);
    const problem = found === undefined ? undefined : findProblem(found);
    return problem === undefined ? found : reportInvalid(value, problem);
  },
  { type: ['string', 'number', 'boolean'], minLength: 1 },
);

function findProblem(text: string): string | undefined {
  if (text.includes('${')) return 'must not contain a reference: dependencies are read before the run starts';
  if (/^(?:[/\\~]|[A-Za-z]:)/.test(text)) return 'must be a relative path';
  const names = text.split('/');
  if (names.includes('..') || names.includes('.git')) return 'must not contain ".." or ".git"';
  return text.includes('[') ? 'must not contain "[": patterns have *, ? and **' : undefined;
}
