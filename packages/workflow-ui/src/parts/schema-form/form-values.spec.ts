import { changedValues, initialTexts, readForm } from './form-values';
import { readSchemaFields } from './schema-fields';

const fields = readSchemaFields({
  type: 'object',
  properties: {
    REGION: { type: 'string', enum: ['eu', 'us'], default: 'eu' },
    BATCH: { type: 'integer', minimum: 1, maximum: 100, default: 50 },
    RATIO: { type: 'number' },
    DAY: { type: 'string', title: 'Day', pattern: '^\\d{4}-\\d{2}-\\d{2}$' },
    NOTE: { type: 'string', minLength: 2, maxLength: 5 },
    DRY_RUN: { type: 'boolean', default: true },
  },
  required: ['DAY', 'BATCH'],
});

describe('the fields of a schema', () => {
  it('begin with the required ones', () => {
    expect(fields.map(({ name }) => name)).toEqual(['DAY', 'REGION', 'BATCH', 'RATIO', 'NOTE', 'DRY_RUN']);
  });

  it('have the title as their label, or else the name', () => {
    expect(fields.slice(0, 2).map(({ label }) => label)).toEqual(['Day', 'REGION']);
  });

  it('have the titles of the choices', () => {
    const [field] = readSchemaFields({ properties: { ring: { oneOf: [{ const: 1, title: 'Inner' }, { const: 2 }] } } });

    expect(field?.options).toEqual([
      { value: 1, label: 'Inner' },
      { value: 2, label: '2' },
    ]);
  });
});

describe('a form', () => {
  const texts = initialTexts(fields);

  it('begins with the defaults, or with given values', () => {
    expect(texts).toMatchObject({ REGION: 'eu', BATCH: '50', RATIO: '', DRY_RUN: 'true' });
    expect(initialTexts(fields, { BATCH: 7, DAY: '2026-05-01' })).toMatchObject({ BATCH: '7', DAY: '2026-05-01' });
  });

  it('returns typed values, without empty ones', () => {
    const { values, problems } = readForm(fields, { ...texts, DAY: '2026-05-01', RATIO: '0.5' });

    expect(problems).toEqual({});
    expect(values).toEqual({ DAY: '2026-05-01', REGION: 'eu', BATCH: 50, RATIO: 0.5, DRY_RUN: true });
  });

  it.each([
    ['DAY', '', { kind: 'missing' }],
    ['DAY', 'tomorrow', { kind: 'pattern', pattern: '^\\d{4}-\\d{2}-\\d{2}$' }],
    ['BATCH', '1.5', { kind: 'integer' }],
    ['BATCH', 'many', { kind: 'integer' }],
    ['BATCH', '0', { kind: 'minimum', limit: 1 }],
    ['BATCH', '101', { kind: 'maximum', limit: 100 }],
    ['RATIO', 'half', { kind: 'number' }],
    ['REGION', 'mars', { kind: 'option' }],
    ['NOTE', 'x', { kind: 'minLength', limit: 2 }],
    ['NOTE', 'longer', { kind: 'maxLength', limit: 5 }],
  ])('refuses for %s the text "%s"', (name, text, problem) => {
    expect(readForm(fields, { ...texts, DAY: '2026-05-01', [name]: text }).problems).toEqual({ [name]: problem });
  });

  it('leaves the check of a pattern that the browser cannot read to the server', () => {
    const [field] = readSchemaFields({ properties: { a: { type: 'string', pattern: '(?P<year>x)' } } });

    expect(readForm(field === undefined ? [] : [field], { a: 'y' }).problems).toEqual({});
  });

  it('sends the values that differ from the defaults', () => {
    const { values } = readForm(fields, { ...texts, DAY: '2026-05-01', BATCH: '51' });

    expect(changedValues(fields, values)).toEqual({ DAY: '2026-05-01', BATCH: 51 });
  });
});
