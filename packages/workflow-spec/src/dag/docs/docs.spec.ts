import type { JsonSchema } from '../../shapes/json-schema/json-schema';
import { findingsPage } from './findings-page';
import { keyRows, keyTable } from './key-table';
import { languageTables } from './language-tables';
import { markdownTable } from './markdown-table';
import { describeSchema } from './describe-schema';

const root: JsonSchema = {
  definitions: {
    Retry: { type: 'object', properties: {} },
    Tree: { anyOf: [{ type: 'string' }, { type: 'array', items: { $ref: '#/definitions/Tree' } }] },
  },
};

describe('describeSchema', () => {
  it.each<[JsonSchema, string]>([
    [{ type: ['string', 'number', 'boolean', 'null'] }, 'string'],
    [{ type: ['integer', 'null'], minimum: 0 }, 'integer, 0 or more'],
    [{ type: 'integer', minimum: 1, maximum: 1000 }, 'integer, 1 to 1000'],
    [{ type: 'integer', minimum: -2147483648, maximum: 2147483647 }, 'integer'],
    [{ type: 'number', exclusiveMinimum: 1 }, 'number, more than 1'],
    [{ type: 'boolean' }, '`true` or `false`'],
    [{ anyOf: [{ enum: ['graph', 'chain'] }, { type: 'null' }] }, '`graph` or `chain`'],
    [{ enum: ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k'] }, 'one of 11 keywords'],
    [{ type: 'array', items: { type: 'string' } }, 'list of strings'],
    [{ type: 'object', additionalProperties: { type: 'number' } }, 'map to numbers'],
    [{ description: 'x', allOf: [{ $ref: '#/definitions/Retry' }] }, 'map'],
    [{ anyOf: [{ type: 'string', pattern: '\\$' }, { type: 'boolean' }] }, '`true` or `false`'],
    [{ anyOf: [{ type: 'integer', minimum: 0 }, { type: 'string' }] }, 'integer, 0 or more; or string'],
    [{ $ref: '#/definitions/Tree' }, 'string or list of maps'],
    [{}, 'anything'],
  ])('describes %j as %s', (schema, words) => {
    expect(describeSchema(schema, root)).toBe(words);
  });
});

describe('keyRows', () => {
  const deprecated = { deprecated: true, deprecationMessage: 'Write work_dir.' };
  const step: JsonSchema = {
    type: 'object',
    properties: {
      work_dir: { type: 'string', description: 'Folder' },
      code: { type: 'string' },
      file: { type: 'string' },
      workDir: { type: 'string', ...deprecated },
      dir: { type: 'string', ...deprecated },
    },
    allOf: [
      { anyOf: [{ required: ['workDir'] }, { required: ['dir'] }, { required: ['work_dir'] }] },
      { anyOf: [{ required: ['code'] }, { required: ['file'] }] },
    ],
  };

  it('lists deprecated spellings with their key, without the camelCase one', () => {
    expect(keyRows(step, root).map(({ key, deprecatedSpellings: oldSpellings }) => [key, oldSpellings])).toEqual([
      ['work_dir', ['dir']],
      ['code', []],
      ['file', []],
    ]);
  });

  it('distinguishes a required key from a choice of keys', () => {
    expect(keyRows(step, root).flatMap(({ key, isRequired }) => (isRequired ? [key] : []))).toEqual(['work_dir']);
  });

  it('searches lists, and prefers the object with the wanted keys', () => {
    const list: JsonSchema = { type: 'array', items: { anyOf: [{ type: 'object', properties: { a: {} } }, step] } };
    expect(keyRows(list, root).map(({ key }) => key)).toEqual(['a', 'work_dir', 'code', 'file']);
    expect(keyRows(list, root, ['code']).map(({ key }) => key)).toEqual(['work_dir', 'code', 'file']);
  });

  it('omits an empty column', () => {
    expect(keyTable(keyRows(step, root), ['code']).split('\n')[0]).toBe('| Key    | Value  | Meaning |');
  });
});

describe('markdownTable', () => {
  it('escapes characters that would end a cell or a line', () => {
    expect(markdownTable(['A'], [['x | y\nz']]).split('\n')).toEqual(['| A        |', '| -------- |', '| x \\| y z |']);
  });
});

describe('languageTables', () => {
  it.each([
    ['keys: dag group', ['| Key     | Value  | Meaning        |', '| `group` | string | Group in lists |']],
    [
      'actions: noop',
      ['| Action | What it does | Settings (`*`: required) |', '| `noop` | Does nothing | none                     |'],
    ],
    [
      'settings: log.write',
      ['| Key                  | Value  | Meaning     |', '| `message` (required) | string | The message |'],
    ],
  ])('has the table of %s', (mark, [head, row]) => {
    const tables = languageTables(`before\n<!-- ${mark} -->\nafter\n`);
    expect([...tables.keys()]).toEqual([`<!-- ${mark} -->`]);
    const [heads, , ...rows] = tables.get(`<!-- ${mark} -->`)?.split('\n') ?? [];
    expect([heads, rows]).toEqual([head, [row]]);
  });

  it.each(['keys: dag colour', 'keys: step.nothing', 'actions: nothing', 'settings: nothing'])('refuses %s', (mark) => {
    expect(() => languageTables(`<!-- ${mark} -->`)).toThrow(/There is no|has nothing/);
  });
});

describe('findingsPage', () => {
  it('shows the finding, and cuts an example that would fill pages', () => {
    const bad = `steps:\n${'  - run: echo\n    rnu: x\n'.repeat(40)}`;
    const page = findingsPage({ unknown_key: { severity: 'error', summary: 'Unknown.', bad, good: 'steps: [echo]' } });
    expect(page).toContain('[3:5] error unknown_key: ');
    expect(page).toContain('# and so on');
    expect(page.length).toBeLessThan(2000);
  });
});
