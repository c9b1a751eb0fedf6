import Ajv from 'ajv';
import fc from 'fast-check';
import { valuesOf, type Resolve, type Schema } from './schema-values';
import type { Answer } from './weir-server';

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema: Schema;
}

type Content = Readonly<Record<string, { readonly schema?: Schema }>>;

interface Described {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

export interface DescribedRequest {
  readonly address: string;
  readonly body: unknown;
}

export interface DescribedOperation {
  readonly name: string;
  readonly method: string;
  /** Its answer is a stream of events. */
  readonly isEndless: boolean;
  readonly requests: fc.Arbitrary<DescribedRequest>;
  /** What the description says against an answer; empty when it allows it. */
  readonly problems: (answer: Answer) => readonly string[];
}

const json = 'application/json';

/** The operations of an OpenAPI document, with requests and a check of answers for each. */
export function describedOperations(document: ApiDocument): readonly DescribedOperation[] {
  const { schemas } = document.components;
  const resolve: Resolve = (schema) =>
    schema.$ref === undefined ? schema : resolve(schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {});
  const ajv = new Ajv({ strict: false, allErrors: true, formats: { 'date-time': /^\d{4}-\d\d-\d\dT/ } });
  ajv.addSchema({ $id: 'api', ...(toJsonSchema(document) as object) });

  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]): DescribedOperation => {
      const pointer = `api#/paths/${escapePointer(path)}/${method}/responses`;
      return {
        name: `${method.toUpperCase()} ${path}`,
        isEndless: 'text/event-stream' in (described.responses['200']?.content ?? {}),
        method: method.toUpperCase(),
        requests: requestsOf(path, described, resolve),
        problems: ({ status, headers, body }) => {
          const key = described.responses[status] === undefined ? 'default' : String(status);
          if (status >= 500 && key === 'default') return [`the status ${status} is unexpected`];
          if (status < 400 && key === 'default') return [`the status ${status} is not described`];
          const content = described.responses[key]?.content ?? {};
          const type = (headers.get('content-type') ?? '').split(';')[0] ?? '';
          if (Object.keys(content).length === 0) return body === undefined ? [] : ['there is a body'];
          const described200 = Object.keys(content).map((each) => each.split(';')[0]);
          if (!described200.includes(type)) return [`the content type "${type}" is not described`];
          if (type !== json) return [];
          const validate = ajv.getSchema(`${pointer}/${key}/content/${escapePointer(json)}/schema`);
          if (validate === undefined) return ['the content has no schema'];
          if (validate(body) === true) return [];
          return (validate.errors ?? []).map(({ instancePath, message = '' }) => `${instancePath} ${message}`);
        },
      };
    }),
  );
}

function requestsOf(path: string, described: Described, resolve: Resolve): fc.Arbitrary<DescribedRequest> {
  const { parameters = [], requestBody } = described;
  const valuesIn = (location: Parameter['in']) => {
    const found = parameters.filter((parameter) => parameter.in === location);
    const values = found.map(({ name, schema }) => [name, valuesOf(schema, resolve).map(toText)] as const);
    const requiredKeys = found.filter(({ required }) => required === true).map(({ name }) => name);
    return fc.record(Object.fromEntries(values), { requiredKeys });
  };
  const schema = requestBody?.content[json]?.schema;
  const body = schema === undefined ? fc.constant(undefined) : valuesOf(schema, resolve);
  return fc.tuple(valuesIn('path'), valuesIn('query'), body).map(([segments, query, sent]) => ({
    address: `${fillPath(path, segments)}?${new URLSearchParams(query).toString()}`,
    body: sent,
  }));
}

function fillPath(path: string, segments: Readonly<Record<string, string | undefined>>): string {
  // An empty segment, or one of dots, is another address.
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const text = segments[name] ?? '';
    return /^\.{0,2}$/.test(text) ? 'x' : encodeURIComponent(wellFormed(text));
  });
}

function toText(value: unknown): string {
  return wellFormed(typeof value === 'string' ? value : JSON.stringify(value));
}

/** Half of a surrogate pair cannot be part of an address. */
function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}

/** JSON Schema has no `nullable`. */
function toJsonSchema(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toJsonSchema);
  if (typeof value !== 'object' || value === null) return value;
  const { nullable, ...rest } = value as Readonly<Record<string, unknown>>;
  const converted = Object.fromEntries(Object.entries(rest).map(([key, each]) => [key, toJsonSchema(each)]));
  return nullable === true ? { anyOf: [converted, { type: 'null' }] } : converted;
}

function escapePointer(text: string): string {
  return encodeURIComponent(text.replaceAll('~', '~0').replaceAll('/', '~1'));
}
