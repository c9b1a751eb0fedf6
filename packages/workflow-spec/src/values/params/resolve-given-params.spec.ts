import type { Scope } from '../references/scope';
import type { JsonValue } from '../../model/json';
import { parseGivenParams } from './parse-given-params';
import { resolveGivenParams } from './resolve-given-params';

const values = {
  PLAIN: 'eu',
  BLANK: 'two words',
  INJECTED: '1 B=injected',
  NAMED: 'B=injected',
  QUOTES: `it's "a" \\ b`,
  JSON: '{"A":"x y","n":2}',
  LIST: '[1,2]',
  EMPTY: '',
};
const scope: Scope = {
  params: new Map(),
  env: new Map(Object.entries(values)),
  consts: new Map(),
  context: new Map(),
  steps: new Map(),
};

describe('resolveGivenParams', () => {
  it.each<readonly [string, JsonValue, readonly { readonly name?: string; readonly value: string }[]]>([
    [
      'keeps a value with blanks whole',
      'A=${BLANK} B=2',
      [
        { name: 'A', value: 'two words' },
        { name: 'B', value: '2' },
      ],
    ],
    ['sets no other parameter', 'A=${INJECTED}', [{ name: 'A', value: '1 B=injected' }]],
    ['names no parameter by a value', 'x ${NAMED}', [{ value: 'x' }, { value: 'B=injected' }]],
    [
      'keeps quotes and backslashes',
      'A=${QUOTES} B="${QUOTES}"',
      [
        { name: 'A', value: values.QUOTES },
        { name: 'B', value: values.QUOTES },
      ],
    ],
    [
      'keeps an empty value',
      'A=${EMPTY} B=1',
      [
        { name: 'A', value: '' },
        { name: 'B', value: '1' },
      ],
    ],
    ['keeps a fallback with blanks whole', 'A=${NONE:-a b}', [{ name: 'A', value: 'a b' }]],
    ['takes a name from a reference', '${PLAIN}=1', [{ name: 'eu', value: '1' }]],
    ['passes JSON as a value', 'A=${JSON} ${LIST}', [{ name: 'A', value: values.JSON }, { value: '[1,2]' }]],
    ['passes a positional value that looks like JSON', '${LIST} x', [{ value: '[1,2]' }, { value: 'x' }]],
    [
      'takes the whole set from a single reference',
      '${JSON}',
      [
        { name: 'A', value: 'x y' },
        { name: 'n', value: '2' },
      ],
    ],
    ['replaces references in JSON', '{"A": "${QUOTES}"}', [{ name: 'A', value: values.QUOTES }]],
    ['takes JSON that a reference completes', '{"A": ${LIST}}', [{ name: 'A', value: '[1,2]' }]],
    [
      'splits no text of a list',
      ['A=${INJECTED}', '${NAMED}', { C: '${BLANK}' }],
      [{ name: 'A', value: '1 B=injected' }, { value: 'B=injected' }, { name: 'C', value: 'two words' }],
    ],
    [
      'splits no text of a map',
      { A: '${INJECTED}', n: 1 },
      [
        { name: 'A', value: '1 B=injected' },
        { name: 'n', value: '1' },
      ],
    ],
  ])('%s', (_, given, expected) => {
    expect(parseGivenParams(resolveGivenParams(given, scope))).toEqual(expected);
  });

  it('keeps a text without references as written, except for quotes', () => {
    expect(resolveGivenParams('a=1 b="two words"', scope)).toBe('a=1 b="two words"');
  });
});
