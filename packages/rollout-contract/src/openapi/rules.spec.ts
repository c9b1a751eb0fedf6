import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathParameters, type Endpoint } from '@weir/http-contract';
import { keyKinds } from '../common/access';
import { rolloutContract } from '../contract';
import { rolloutOpenApi } from './document';

interface JsonSchema {
  readonly $ref?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
}

const endpoints: readonly (readonly [string, Endpoint])[] = Object.entries(rolloutContract);
const document = rolloutOpenApi('/');
const schemas = Object.entries((document.components?.schemas ?? {}) as Readonly<Record<string, JsonSchema>>);
const tagNames = (document.tags ?? []).map((tag) => tag.name);

/** Objects that are written in place instead of being named, with the number of their fields. */
function inlineObjects(schema: JsonSchema, place: string): readonly (readonly [string, number])[] {
  const properties = Object.entries(schema.properties ?? {});
  const nested = [...properties, ...(schema.items ? [['items', schema.items] as const] : [])];
  return nested.flatMap(([name, child]) => {
    const here = `${place}.${name}`;
    const fields = Object.keys(child.properties ?? {}).length;
    return [...(fields > 0 ? [[here, fields] as const] : []), ...inlineObjects(child, here)];
  });
}

describe('the description as a whole', () => {
  it('is OpenAPI 3.0.0 of version 1.0.0', () => {
    expect(document).toMatchObject({ openapi: '3.0.0', info: { version: '1.0.0' } });
  });

  it('is the committed document', () => {
    const committed: unknown = JSON.parse(readFileSync(path.join(__dirname, '../../openapi.json'), 'utf8'));
    expect(JSON.parse(JSON.stringify(document))).toEqual(committed);
  });

  it('has unique operation ids', () => {
    const ids = endpoints.map(([, endpoint]) => endpoint.operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('has one operation for each method and path', () => {
    const routes = endpoints.map(([, endpoint]) => `${endpoint.method} ${endpoint.path}`);
    expect(new Set(routes).size).toBe(routes.length);
  });
});

describe.each(endpoints)('the operation %s', (_, endpoint) => {
  const operation = document.paths[endpoint.path]?.[endpoint.method.toLowerCase() as 'get'];

  it('has an operation id, a summary without a full stop, and a known tag', () => {
    expect(endpoint.operationId).toMatch(/^[a-z][A-Za-z]+$/);
    expect(endpoint.summary).toMatch(/^[A-Z].*[^.]$/);
    expect(tagNames).toContain(endpoint.tag);
  });

  it('has a default answer and a description for every answer', () => {
    const answers: Readonly<Record<string, { readonly description: string }>> = operation?.responses ?? {};
    const responses = Object.entries(answers);
    expect(responses.map(([status]) => status)).toContain('default');
    for (const [, response] of responses) expect(response.description).toMatch(/\.$/);
  });

  it('describes every parameter', () => {
    const parameters = (operation?.parameters ?? []) as readonly {
      readonly description?: string;
      readonly schema: JsonSchema;
    }[];
    const bare = parameters.filter((parameter) => !parameter.description && !parameter.schema.$ref);
    expect(bare).toEqual([]);
  });

  it('has a schema for each parameter of its path and no other', () => {
    expect(Object.keys(endpoint.params?.shape ?? {}).sort()).toEqual([...pathParameters(endpoint.path)].sort());
  });

  it('says 401 and 403 where access can be refused', () => {
    const statuses = Object.keys(endpoint.errors);
    if (endpoint.access !== 'public') expect(statuses).toContain('401');
    if (typeof endpoint.access !== 'string') {
      expect(statuses).toContain('403');
      for (const role of endpoint.access) expect(keyKinds).toContain(role);
    }
  });

  it('gives a reason for each failure', () => {
    for (const answer of Object.values(endpoint.errors)) expect(answer?.reasons?.length).toBeGreaterThan(0);
  });
});

describe.each(schemas)('the component %s', (name, schema) => {
  it('has a description', () => {
    expect(schema.description).toBeTruthy();
  });

  it('describes every property, or refers to a component that does', () => {
    const bare = Object.entries(schema.properties ?? {}).filter(
      ([, property]) => !property.description && !property.$ref,
    );
    expect(bare.map(([property]) => property)).toEqual([]);
  });

  it('names every object of more than three fields', () => {
    expect(inlineObjects(schema, name).filter(([, fields]) => fields > 3)).toEqual([]);
  });
});
