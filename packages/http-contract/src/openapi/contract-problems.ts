import type { Endpoint } from '../endpoint';
import { pathParameters } from '../endpoint-path';
import type { emitOpenApi } from './emit-openapi';

export interface Contract {
  readonly endpoints: readonly Endpoint[];
  /** The roles that are allowed. */
  readonly roles: readonly string[];
  readonly document: ReturnType<typeof emitOpenApi>;
}

interface JsonSchema {
  readonly $ref?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
}

interface Operation {
  readonly responses: Readonly<Record<string, { readonly description?: string }>>;
  readonly parameters?: readonly {
    readonly name: string;
    readonly description?: string;
    readonly schema: JsonSchema;
  }[];
}

/** An object with more fields needs its own name. */
const mostInlineFields = 3;

/**
 * The parts that readers of a contract and of its document would miss, one line each; empty if the contract keeps to
 * the rules.
 */
export function findContractProblems({ endpoints, roles, document }: Contract): readonly string[] {
  const tags = (document.tags ?? []).map(({ name }) => name);
  const schemas = Object.entries((document.components?.schemas ?? {}) as Readonly<Record<string, JsonSchema>>);
  return [
    ...findRepeated(endpoints.map(({ operationId }) => operationId)).map((id) => `${id}: two operations have this id`),
    ...findRepeated(endpoints.map(({ method, path }) => `${method} ${path}`)).map((route) => `${route}: defined twice`),
    ...endpoints.flatMap((endpoint) => {
      const operation = document.paths[endpoint.path]?.[endpoint.method.toLowerCase() as 'get'];
      const problems = [...endpointProblems(endpoint, { roles, tags }), ...operationProblems(operation as Operation)];
      return problems.map((problem) => `${endpoint.operationId}: ${problem}`);
    }),
    ...schemas.flatMap(([name, schema]) => componentProblems(name, schema)),
    ...findFlaggedPatterns(document),
  ];
}

/** A regular expression with flags is emitted with a slash and the flags, which readers of the document take for text. */
function findFlaggedPatterns(document: unknown): readonly string[] {
  if (typeof document !== 'object' || document === null) return [];
  return Object.entries(document).flatMap(([key, value]: [string, unknown]) =>
    key === 'pattern' && typeof value === 'string' && /\/[a-z]+$/.test(value)
      ? [`the pattern ${value} has flags`]
      : findFlaggedPatterns(value),
  );
}

function endpointProblems(
  endpoint: Endpoint,
  known: { readonly roles: readonly string[]; readonly tags: readonly string[] },
) {
  const { operationId, summary, tag, access, errors } = endpoint;
  const declared = Object.keys(endpoint.params?.shape ?? {})
    .toSorted()
    .join(', ');
  const needed = [...pathParameters(endpoint.path)].toSorted().join(', ');
  const isRefusable = typeof access !== 'string';
  return [
    ...problemUnless(/^[a-z][A-Za-z]+$/.test(operationId), 'the id is not in camel case'),
    ...problemUnless(/^[A-Z].*[^.]$/.test(summary), 'the summary is no sentence without a full stop'),
    ...problemUnless(known.tags.includes(tag), `the tag ${tag} is not described`),
    ...problemUnless(
      declared === needed,
      `the path has ${needed || 'no parameters'}, the schema ${declared || 'none'}`,
    ),
    ...problemUnless(access === 'public' || errors[401] !== undefined, 'no 401, though it asks for a credential'),
    ...problemUnless(!isRefusable || errors[403] !== undefined, 'no 403, although not every role may call'),
    ...(isRefusable ? access.filter((role) => !known.roles.includes(role)) : []).map((role) => `no such role: ${role}`),
    ...Object.entries(errors).flatMap(([status, answer]) =>
      problemUnless((answer?.reasons?.length ?? 0) > 0, `${status} has no reason`),
    ),
  ];
}

function operationProblems({ responses, parameters = [] }: Operation): readonly string[] {
  return [
    ...Object.entries(responses).flatMap(([status, { description = '' }]) =>
      problemUnless(description.endsWith('.'), `the answer ${status} is not described by a sentence`),
    ),
    ...parameters.flatMap(({ name, description, schema }) =>
      problemUnless(Boolean(description) || schema.$ref !== undefined, `the parameter ${name} is not described`),
    ),
  ];
}

function componentProblems(name: string, schema: JsonSchema): readonly string[] {
  return [
    ...problemUnless(Boolean(schema.description), `${name}: not described`),
    ...Object.entries(schema.properties ?? {}).flatMap(([property, { description, $ref }]) =>
      problemUnless(Boolean(description) || $ref !== undefined, `${name}.${property}: not described`),
    ),
    ...largeInlineObjects(schema, name).map(
      (location) => `${location}: more than ${mostInlineFields} fields without a name`,
    ),
  ];
}

function largeInlineObjects(schema: JsonSchema, location: string): readonly string[] {
  const nested = [
    ...Object.entries(schema.properties ?? {}),
    ...(schema.items ? [['items', schema.items] as const] : []),
  ];
  return nested.flatMap(([name, child]) => {
    const childLocation = `${location}.${name}`;
    const isLarge = Object.keys(child.properties ?? {}).length > mostInlineFields;
    return [...(isLarge ? [childLocation] : []), ...largeInlineObjects(child, childLocation)];
  });
}

function findRepeated(texts: readonly string[]): readonly string[] {
  return texts.filter((text, index) => texts.indexOf(text) !== index);
}

function problemUnless(isSatisfied: boolean, problem: string): readonly string[] {
  return isSatisfied ? [] : [problem];
}
