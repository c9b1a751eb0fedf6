import { z } from 'zod';
import { endpoint, type Endpoint } from '../endpoint';
import { findContractProblems } from './contract-problems';
import { emitOpenApi } from './emit-openapi';

const Failure = z.object({ code: z.string().describe('Which.') }).meta({ id: 'Failure', description: 'A failure.' });
const Thing = z.object({ id: z.string().describe('Its id.') }).meta({ id: 'Thing', description: 'A thing.' });
const refused = { description: 'Refused.', reasons: ['why'] };
const good = endpoint({
  method: 'GET',
  path: '/things/{thingId}',
  operationId: 'getThing',
  tag: 'things',
  summary: 'Read a thing',
  access: ['owner'],
  params: z.object({ thingId: z.string().describe('Which thing.') }),
  success: { status: 200, description: 'The thing.', schema: Thing },
  errors: { 401: refused, 403: refused },
});

function emitDocument(endpoints: readonly Endpoint[]) {
  const about = { title: 'Things', version: '1.0.0', description: 'Keeps things.', serverUrl: '/' };
  return emitOpenApi({ ...about, tags: [{ name: 'things', description: 'All.' }], errorSchema: Failure, endpoints });
}

function listProblems(...endpoints: readonly Endpoint[]): readonly string[] {
  return findContractProblems({ endpoints, roles: ['owner'], document: emitDocument(endpoints) });
}

/** Answers with this object in place of a thing. */
const answering = (schema: z.ZodType): Endpoint => ({ ...good, success: { ...good.success, schema } });
const field = z.string().describe('A field.');

describe('contractProblems', () => {
  it('finds nothing in a contract that keeps to the rules', () => {
    expect(listProblems(good)).toEqual([]);
    expect(listProblems({ ...good, access: 'public', errors: {} })).toEqual([]);
  });

  it.each<[string, readonly Endpoint[], readonly string[]]>([
    [
      'the same operation twice',
      [good, good],
      ['getThing: two operations have this id', 'GET /things/{thingId}: defined twice'],
    ],
    ['an id of other words', [{ ...good, operationId: 'get_thing' }], ['get_thing: the id is not in camel case']],
    [
      'a summary with a full stop',
      [{ ...good, summary: 'Read a thing.' }],
      ['getThing: the summary is no sentence without a full stop'],
    ],
    ['an unknown tag', [{ ...good, tag: 'others' }], ['getThing: the tag others is not described']],
    ['an unknown role', [{ ...good, access: ['king'] }], ['getThing: no such role: king']],
    [
      'refusals that are not told',
      [{ ...good, errors: {} }],
      ['getThing: no 401, though it asks for a credential', 'getThing: no 403, although not every role may call'],
    ],
    [
      'a failure without a reason',
      [{ ...good, errors: { ...good.errors, 404: { description: 'No such thing.' } } }],
      ['getThing: 404 has no reason'],
    ],
    [
      'an answer that no sentence describes',
      [{ ...good, success: { ...good.success, description: 'thing' } }],
      ['getThing: the answer 200 is not described by a sentence'],
    ],
    [
      'a parameter without a description',
      [{ ...good, query: z.object({ verbose: z.string().optional() }) }],
      ['getThing: the parameter verbose is not described'],
    ],
    [
      'a component and a property without a description',
      [answering(z.object({ id: z.string() }).meta({ id: 'Bare' }))],
      ['Bare: not described', 'Bare.id: not described'],
    ],
    [
      'a pattern with flags, which OpenAPI does not have',
      [answering(z.object({ id: field.regex(/^[a-z]*$/u) }).meta({ id: 'Flagged', description: 'Flagged.' }))],
      ['the pattern ^[a-z]*$/u has flags'],
    ],
    [
      'a large object without a name, in a list as well',
      [
        answering(
          z
            .object({
              list: z.array(z.object({ a: field, b: field, c: field, d: field })).describe('Many.'),
              small: z.object({ a: field, b: field, c: field }).describe('Few.'),
            })
            .meta({ id: 'Large', description: 'Large.' }),
        ),
      ],
      ['Large.list.items: more than 3 fields without a name'],
    ],
  ])('reports %s', (_, endpoints, expected) => {
    expect(listProblems(...endpoints)).toEqual(expected);
  });

  it('reports parameters of the path that differ from those of the schema', () => {
    const document = emitDocument([good]);
    const endpoints = [{ ...good, params: z.object({ other: field }) }];

    expect(findContractProblems({ endpoints, roles: ['owner'], document })).toEqual([
      'getThing: the path has thingId, the schema other',
    ]);
  });
});
