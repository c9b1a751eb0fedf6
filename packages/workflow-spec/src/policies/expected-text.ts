import { readNonEmptyText, type Reader } from '../shapes/readers';
import { shape } from '../shapes/shape';
import { reportInvalid } from '../shapes/shapes';
import type { YamlValue } from '../yaml/yaml-value';

const prefix = 're:';
const scalar = ['string', 'number', 'boolean'];

/** An exact string, or `re:` and a regular expression. One with a reference is compiled when the step runs. */
export const expectedText = shape<string>(
  (value) => readPattern(value, readNonEmptyText, (text) => text.includes('${')),
  { type: scalar, minLength: 1 },
);

/** A non-empty string without references, searched for in an output. */
export const outputPattern = shape<string>((value) => readPattern(value, readNonEmptyText, () => false), {
  type: scalar,
  minLength: 1,
});

function readPattern(
  value: YamlValue,
  read: Reader<string>,
  isResolvedLater: (text: string) => boolean,
): string | undefined {
  const text = read(value);
  if (text === undefined || !text.startsWith(prefix) || isResolvedLater(text)) return text;
  const pattern = text.slice(prefix.length);
  if (pattern === '') return reportInvalid(value, 'a regular expression must follow re:');
  const problem = value.context.checkPattern(pattern);
  return problem === undefined ? text : reportInvalid(value, problem);
}
