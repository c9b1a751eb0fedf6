import { endpoint } from '@weir/http-contract';

/** Where editors find the JSON Schema of DAG files, below the base path and outside the API. */
export const dagSchemaEndpoint = endpoint({
  method: 'GET',
  path: '/schemas/dag.schema.json',
  operationId: 'getDagSchema',
  tag: 'system',
  summary: 'Get the JSON Schema of DAG files',
  access: 'public',
  success: {
    status: 200,
    description: 'The schema.',
    content: { kind: 'text', type: 'application/schema+json; charset=utf-8' },
    cacheSeconds: 3600,
  },
  errors: {},
});
