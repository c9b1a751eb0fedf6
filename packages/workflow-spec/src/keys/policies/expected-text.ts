import { readNonEmptyText } from '../../shapes/readers';
import { shape } from '../../shapes/shape';
import { reportInvalid } from '../../shapes/shapes';
import type { YamlValue } from '../../source/yaml/yaml-value';

const prefix = 're:';
const scalar = ['string', 'number', 'boolean'];

/** A non-empty literal string, or `re:` and a regular expression. */
export const expectedText = shape<string>(readPattern, { type: scalar, minLength: 1 });

function readPattern(value: YamlValue): string | undefined {
  const text = readNonEmptyText(value);
  if (!text?.startsWith(prefix)) return text;
  const pattern = text.slice(prefix.length);
  if (pattern === '') return reportInvalid(value, 'a regular expression must follow re:');
  const problem = value.context.checkPattern(pattern);
  return problem === undefined ? text : reportInvalid(value, problem);
}
