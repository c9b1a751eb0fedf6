import { z } from 'zod';
import { endpoint } from '../endpoint';
import { emitOpenApi } from './emit-openapi';

const ErrorSchema = z.object({ code: z.string(), message: z.string() }).meta({ id: 'Error' });
const Thing = z.object({ id: z.string().describe('Its id.') }).meta({ id: 'Thing', description: 'A thing.' });

const emit = (access: 'public' | 'authenticated' | readonly string[] = 'authenticated') =>
  emitOpenApi({
    title: 'Things',
    version: '1.0.0',
    description: 'Keeps things.',
    serverUrl: '/api/v1',
    tags: [{ name: 'things', description: 'All of them.' }],
    errorSchema: ErrorSchema,
    endpoints: [
      endpoint({
        method: 'GET',
        path: '/things/{thingId}',
        operationId: 'getThing',
        tag: 'things',
        summary: 'Reads a thing.',
        access,
        params: z.object({ thingId: z.string().describe('Which thing.') }),
        query: z.object({ verbose: z.string().optional().describe('More of it.') }),
        success: { status: 200, description: 'The thing.', schema: Thing },
        errors: { 404: { description: 'No such thing.', reasons: ['thing_not_found'] } },
      }),
    ],
  });

describe('emitOpenApi', () => {
  it('returns a 3.0.0 document with refs to named components', () => {
    const document = emit();

    expect(document.openapi).toBe('3.0.0');
    expect(document.paths['/things/{thingId}']).toMatchObject({
      get: {
        operationId: 'getThing',
        responses: { 200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } } } },
      },
    });
    expect(Object.keys(document.components?.schemas ?? {})).toEqual(['Error', 'Thing']);
  });

  it('names path and query parameters with their descriptions', () => {
    expect(emit().paths['/things/{thingId}']).toMatchObject({
      get: {
        parameters: [
          { name: 'thingId', in: 'path', required: true, description: 'Which thing.' },
          { name: 'verbose', in: 'query', required: false, description: 'More of it.' },
        ],
      },
    });
  });

  it('has a default answer for every operation and names the reasons of the others', () => {
    expect(emit().paths['/things/{thingId}']).toMatchObject({
      get: { responses: { 404: { description: 'No such thing. Reasons: thing_not_found.' }, default: {} } },
    });
  });

  it('marks a public operation as open and lists the roles of a restricted one', () => {
    expect(emit('public').paths['/things/{thingId}']).toMatchObject({ get: { security: [] } });
    expect(emit(['admin', 'manager']).paths['/things/{thingId}']).toMatchObject({
      get: { description: 'Roles: admin, manager.' },
    });
  });

  it('returns the same text twice', () => {
    expect(JSON.stringify(emit())).toBe(JSON.stringify(emit()));
  });
});
