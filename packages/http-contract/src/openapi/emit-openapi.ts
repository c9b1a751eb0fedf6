import { OpenAPIRegistry, OpenApiGeneratorV3, type RouteConfig } from '@asteasolutions/zod-to-openapi';
import { z } from 'zod';
import { contentType } from '../content-type';
import type { Content, Endpoint } from '../endpoint';

type GeneratedDocument = ReturnType<OpenApiGeneratorV3['generateDocument']>;

export interface OpenApiOptions {
  readonly title: string;
  readonly version: string;
  readonly description: string;
  readonly serverUrl: string;
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly endpoints: readonly Endpoint[];
  /** The body of every failure. It needs an id in its metadata. */
  readonly errorSchema: z.ZodType;
  /** The description of failures that every operation may answer besides its own. Default: `Unexpected error.` */
  readonly defaultDescription?: string;
}

const json = 'application/json';
const methods = { GET: 'get', POST: 'post', PUT: 'put', PATCH: 'patch', DELETE: 'delete' } as const;

const ifMatch = z.object({
  'if-match': z
    .string()
    .optional()
    .describe('Entity tag of the revision that the change is for; another one is answered 412. Without it, any.'),
});
const etag = {
  ETag: { description: 'Entity tag of the current revision.', schema: { type: 'string' as const } },
};

/**
 * The OpenAPI 3.0.0 document of a contract. Component names come from the `id` in each schema's metadata.
 * The same contract always gives the same document, key order included.
 */
export function emitOpenApi(options: OpenApiOptions): GeneratedDocument {
  const registry = new OpenAPIRegistry();
  registry.registerComponent('securitySchemes', 'bearer', {
    type: 'http',
    scheme: 'bearer',
    description: 'A token from the login or setup operation, or an API key.',
  });
  for (const endpoint of options.endpoints) registry.registerPath(toRoute(endpoint, options));
  const document = new OpenApiGeneratorV3(registry.definitions).generateDocument({
    openapi: '3.0.0',
    info: { title: options.title, version: options.version, description: options.description },
    servers: [{ url: options.serverUrl }],
    tags: options.tags.map((tag) => ({ ...tag })),
    security: [{ bearer: [] }],
  });
  return sortComponents(document);
}

function toRoute(endpoint: Endpoint, options: OpenApiOptions): RouteConfig {
  return {
    method: methods[endpoint.method],
    path: endpoint.path,
    operationId: endpoint.operationId,
    tags: [endpoint.tag],
    summary: endpoint.summary,
    description: [endpoint.description, describeAccess(endpoint)].filter((part) => part !== undefined).join('\n\n'),
    ...(endpoint.deprecated === true ? { deprecated: true } : {}),
    ...(endpoint.access === 'public' || endpoint.access === 'login' ? { security: [] } : {}),
    request: toRequest(endpoint),
    responses: toResponses(endpoint, options),
  };
}

function describeAccess(endpoint: Endpoint): string | undefined {
  if (typeof endpoint.access === 'string') return undefined;
  return `Roles: ${endpoint.access.join(', ')}.`;
}

function toRequest(endpoint: Endpoint): NonNullable<RouteConfig['request']> {
  return {
    ...(endpoint.params ? { params: endpoint.params } : {}),
    ...(endpoint.query ? { query: endpoint.query } : {}),
    ...(endpoint.hasRevisions && endpoint.method !== 'GET' ? { headers: ifMatch } : {}),
    ...(endpoint.body
      ? { body: { required: endpoint.bodyRequired !== false, content: { [json]: { schema: endpoint.body } } } }
      : {}),
  };
}

function toResponses(endpoint: Endpoint, options: OpenApiOptions): RouteConfig['responses'] {
  const { errorSchema, defaultDescription = 'Unexpected error.' } = options;
  const { status, description, schema, content } = endpoint.success;
  const types = {
    ...(schema ? { [json]: { schema } } : {}),
    ...(content ? { [contentType(content)]: { schema: describeContent(content) } } : {}),
  };
  const responses: RouteConfig['responses'] = {
    [status]: {
      description,
      ...(endpoint.hasRevisions ? { headers: etag } : {}),
      ...(Object.keys(types).length > 0 ? { content: types } : {}),
    },
  };
  for (const [errorStatus, answer] of Object.entries(endpoint.errors)) {
    if (answer === undefined) continue;
    const reasons = answer.reasons ? ` Reasons: ${answer.reasons.join(', ')}.` : '';
    responses[errorStatus] = {
      description: `${answer.description}${reasons}`,
      content: { [json]: { schema: errorSchema } },
    };
  }
  responses.default = { description: defaultDescription, content: { [json]: { schema: errorSchema } } };
  return responses;
}

function describeContent({ kind }: Content) {
  return { type: 'string' as const, ...(kind === 'file' || kind === 'bytes' ? { format: 'binary' } : {}) };
}

function sortComponents(document: GeneratedDocument): GeneratedDocument {
  const schemas = document.components?.schemas;
  if (schemas === undefined) return document;
  const sorted = Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1)));
  return { ...document, components: { ...document.components, schemas: sorted } };
}
