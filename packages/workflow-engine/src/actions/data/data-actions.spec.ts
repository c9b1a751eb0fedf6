import type { JsonObject } from '@weir/workflow-spec';
import { actionFixture, type ActionFixture } from '../testing/action-fixture';

let fixture: ActionFixture;
beforeEach(async () => (fixture = await actionFixture()));
afterEach(() => fixture.remove());

const convert = (settings: JsonObject) => fixture.run('data.convert', settings);

describe('data.convert', () => {
  it.each([
    ['a table to JSON', { from: 'csv', to: 'json', input: 'a,b\n1,"x, y"\n' }, '[{"a":"1","b":"x, y"}]\n'],
    [
      'chosen columns',
      { from: 'csv', to: 'json', input: 'a;b\n1;2\n', delimiter: ';', columns: ['b'] },
      '[{"b":"2"}]\n',
    ],
    ['a table without names', { from: 'tsv', to: 'json', input: '1\t2\n', has_header: false }, '[["1","2"]]\n'],
    [
      'a table with given names',
      { from: 'tsv', to: 'json', input: '1\n', has_header: false, headers: ['n'] },
      '[{"n":"1"}]\n',
    ],
    ['JSON to a table', { from: 'json', to: 'csv', input: '[{"a":1},{"b":"x, \\"y\\""}]' }, 'a,b\n1,\n,"x, ""y"""\n'],
    [
      'a value to a table without names',
      { from: 'json', to: 'tsv', data: [{ a: 1, b: [2] }], headers: false },
      '1\t[2]\n',
    ],
    [
      'YAML to JSON',
      { from: 'yaml', to: 'json', input: 'a: [1, x]\nb: &b {c: null}\nd: *b\n' },
      '{"a":[1,"x"],"b":{"c":null},"d":{"c":null}}\n',
    ],
    ['JSON to YAML', { from: 'json', to: 'yaml', data: { a: [1, 'yes'] } }, 'a:\n  - 1\n  - yes\n'],
    ['text to JSON', { from: 'text', to: 'json', input: 'a "b"' }, '"a \\"b\\""\n'],
    ['a string without quotes', { from: 'json', to: 'json', input: '"a b"', raw: true }, 'a b\n'],
    ['a string to text', { from: 'json', to: 'text', input: '"a b"' }, 'a b\n'],
  ])('converts %s', async (_, settings, printed) => {
    const { outcome, stdout } = await convert(settings);
    expect([outcome.error, stdout]).toEqual([undefined, printed]);
  });

  it.each([
    ['no JSON', { from: 'json', to: 'yaml', input: '{' }, 'The value is no json.'],
    ['no YAML', { from: 'yaml', to: 'json', input: 'a: [' }, 'The value is no yaml.'],
    ['an unclosed quote', { from: 'csv', to: 'json', input: 'a\n"b' }, 'The value is no csv.'],
    ['no rows', { from: 'json', to: 'csv', data: { a: 1 } }, 'Only a list of rows can be written as csv.'],
    ['a row that is none', { from: 'json', to: 'csv', data: [1] }, 'Row 1 is neither a list nor a map.'],
  ])('fails on %s', async (_, settings, error) => {
    const { outcome } = await convert(settings);
    expect(outcome).toMatchObject({ status: 'failed', error });
  });

  it('limits the size of the result', async () => {
    const settings = { from: 'text', to: 'text', input: 'x'.repeat(100) };
    const { outcome } = await fixture.run('data.convert', settings, { maxOutputBytes: 50 });
    expect(outcome.error).toBe('The result is larger than 50 bytes.');
  });
});

describe('data.pick', () => {
  it('prints each part on its own line', async () => {
    const { stdout } = await fixture.run('data.pick', { from: 'csv', input: 'a\n1\n2\n', select: '.[]' });
    expect(stdout).toBe('{"a":"1"}\n{"a":"2"}\n');
  });

  it('prints parts in another format', async () => {
    const { stdout } = await fixture.run('data.pick', { from: 'json', data: [{ a: 1 }], select: '.', to: 'csv' });
    expect(stdout).toBe('a\n1\n');
  });

  it('fails on an expression that cannot be applied', async () => {
    const { outcome } = await fixture.run('data.pick', { from: 'json', data: 1, select: 'no such' });
    expect(outcome.error).toContain('select is no jq expression');
  });
});
