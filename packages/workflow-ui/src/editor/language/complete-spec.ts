import { dagSchema, schemaAt, supportedKeys, type JsonSchema } from '@weir/workflow-spec/editor';
import type { SpecMeaning } from './check-spec';
import type { KeyContext } from './key-context';

export interface Proposal {
  readonly label: string;
  readonly detail?: string;
  /** What is inserted, where it is more than the label. */
  readonly insert?: string;
}

/** What may be typed at a place. */
export function completeSpec(context: KeyContext, meaning: SpecMeaning): readonly Proposal[] {
  if (context.place === 'reference') return references(meaning);
  if (context.place === 'key') return keysAt(context.path).map(({ key, description }) => proposeKey(key, description));
  const { path, key = '' } = context;
  if (key === 'depends') return meaning.steps.map(({ name, work }) => ({ label: name, detail: work }));
  return valuesOf(schemaOf([...path, key])).map((label) => ({ label }));
}

/** What a key means, for the one under the pointer. */
export function describeKey(path: readonly string[], key: string): string | undefined {
  return keysAt(path).find((each) => each.key === key)?.description;
}

interface Key {
  readonly key: string;
  readonly description: string;
}

function keysAt(path: readonly string[]): readonly Key[] {
  if (path.length === 0) return supportedKeys.root;
  const keys = schemaPath(path);
  if (keys.length === 1 && stepParents.has(keys[0] ?? '')) return supportedKeys.step;
  return propertiesOf(schemaOf(path));
}

/** Steps are known by one table of keys. */
const stepParents: ReadonlySet<string> = new Set(['steps']);

function proposeKey(key: string, detail: string): Proposal {
  return { label: key, detail, insert: `${key}: ` };
}

const contextFields = [
  'dag.name',
  'run.id',
  'run.root_id',
  'run.scheduled_at',
  'step.id',
  'step.name',
  'attempt.id',
  'trigger.type',
];

function references({ steps, params, consts }: SpecMeaning): readonly Proposal[] {
  return [
    ...params.map((name) => ({ label: `params.${name}` })),
    ...consts.map((name) => ({ label: `consts.${name}` })),
    ...steps.flatMap(({ id, outputs }) => outputs.map((name) => ({ label: `steps.${id}.outputs.${name}` }))),
    ...contextFields.map((field) => ({ label: `context.${field}` })),
  ].map(({ label }) => ({ label, insert: `${label}}` }));
}

function schemaOf(path: readonly string[]): JsonSchema | undefined {
  return schemaAt(schemaPath(path).join('.'));
}

/** Without the names of steps, variables and the like, which schemas do not have. */
function schemaPath(path: readonly string[]): readonly string[] {
  return path.reduce<readonly string[]>((known, key) => {
    const longer = [...known, key];
    return schemaAt(longer.join('.')) === undefined ? known : longer;
  }, []);
}

function propertiesOf(schema: JsonSchema | undefined): readonly Key[] {
  const found = new Map<string, string>();
  visit(schema, (part) => {
    for (const [key, value] of Object.entries(asObject(part.properties))) {
      const { description } = asObject(value);
      if (!found.has(key)) found.set(key, typeof description === 'string' ? description : '');
    }
  });
  return [...found].map(([key, description]) => ({ key, description }));
}

function valuesOf(schema: JsonSchema | undefined): readonly string[] {
  const found = new Set<string>();
  visit(schema, (part) => {
    const values: readonly unknown[] = Array.isArray(part.enum) ? part.enum : 'const' in part ? [part.const] : [];
    for (const value of values) if (typeof value === 'string' || typeof value === 'number') found.add(String(value));
    if (part.type === 'boolean') for (const value of ['true', 'false']) found.add(value);
  });
  return [...found];
}

/** A schema with all that it is composed of: its alternatives, its definitions, the items of a list. */
function visit(schema: JsonSchema | undefined, onPart: (part: JsonSchema) => void): void {
  const definitions = asObject(schema?.definitions ?? dagSchema().definitions);
  const visited = new Set<unknown>();
  const enter = (part: unknown): void => {
    if (visited.has(part) || typeof part !== 'object' || part === null) return;
    visited.add(part);
    const object = part as JsonSchema;
    onPart(object);
    const { $ref: target } = object;
    if (typeof target === 'string') enter(definitions[target.replace('#/definitions/', '')]);
    for (const inner of ['anyOf', 'allOf', 'oneOf'] as const) {
      const parts = object[inner];
      if (Array.isArray(parts)) parts.forEach(enter);
    }
    enter(object.items);
  };
  enter(schema);
}

function asObject(value: unknown): JsonSchema {
  return typeof value === 'object' && value !== null ? (value as JsonSchema) : {};
}
