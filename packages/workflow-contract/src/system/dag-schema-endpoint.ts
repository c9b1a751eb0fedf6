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

/** The same without recursion, where clients of this API look for it. */
export const boundedDagSchemaEndpoint = endpoint({
  ...dagSchemaEndpoint,
  path: '/assets/dag.schema.json',
  operationId: 'getBoundedDagSchema',
  summary: 'Get the JSON Schema of DAG files without recursion',
});
