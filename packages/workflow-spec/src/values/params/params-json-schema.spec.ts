import { parseDag } from '../../dag/document/parse-dag';
import { paramsJsonSchema } from './params-json-schema';

const schemaOf = (params: string) => paramsJsonSchema(parseDag(`${params}\nsteps:\n  - run: "true"\n`).dag);
const draft = 'http://json-schema.org/draft-07/schema#';

describe('paramsJsonSchema', () => {
  it('describes declared parameters with their rules', () => {
    const params = `params:
  - {name: REGION, type: string, enum: [eu, us], default: eu, description: Where, required: true}
  - {name: COUNT, type: integer, minimum: 1, maximum: 5, default: 2}`;

    expect(schemaOf(params)).toEqual({
      $schema: draft,
      type: 'object',
      properties: {
        REGION: { type: 'string', enum: ['eu', 'us'], default: 'eu', description: 'Where' },
        COUNT: { type: 'integer', minimum: 1, maximum: 5, default: 2 },
      },
      required: ['REGION'],
    });
  });

  it('names positional parameters by their numbers', () => {
    expect(schemaOf('params: one two')).toMatchObject({
      properties: { '1': { type: 'string', default: 'one' }, '2': { type: 'string', default: 'two' } },
    });
  });

  it('describes a DAG without parameters', () => {
    expect(schemaOf('')).toEqual({ $schema: draft, type: 'object', properties: {} });
  });
});
