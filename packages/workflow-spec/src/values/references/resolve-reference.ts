import type { JsonValue } from '../../model/json';
import type { Reference } from './reference';
import { formerContextField, isNamespace, type Namespace, type Scope, type StepValues } from './scope';

/** Returns the value of a reference; undefined when it has none. */
export type ResolveReference = (reference: Pick<Reference, 'head' | 'path'>) => string | undefined;

/**
 * Resolves references in a scope. A JSON string is parsed only once, for any number of references into it. Without
 * `variables`, plain names are left to the shell.
 */
export function createReferenceResolver(
  scope: Scope,
  { variables }: { readonly variables: boolean },
): ResolveReference {
  const walk = createWalk();
  const variable = (name: string) => (/^\d/.test(name) ? scope.params.get(name) : scope.env.get(name));
  return ({ head, path }) => {
    if (head === 'params' && path.length === 0) {
      return scope.params.size === 0 ? undefined : JSON.stringify(Object.fromEntries(scope.params));
    }
    if (isNamespace(head) && path.length > 0) return resolveInNamespace(head, path, scope, walk);
    const file =
      scope.files && isFileHead(head) && path.length === 1 ? scope.files[head].get(path[0] ?? '') : undefined;
    if (file !== undefined) return file;
    const item = head === 'ITEM' ? walk(scope.item, path) : undefined;
    if (item !== undefined) return item;
    if (path.length === 0) return variables ? variable(head) : undefined;
    const found = resolveStepValue(scope.steps?.get(head), path, walk) ?? walk(variable(head), path);
    return found ?? scope.context?.get(formerContextField([head, ...path]) ?? '');
  };
}

function isFileHead(head: string): head is 'inputs' | 'outputs' {
  return head === 'inputs' || head === 'outputs';
}

type Walk = (value: JsonValue | undefined, path: readonly string[]) => string | undefined;

function resolveInNamespace(head: Namespace, path: readonly string[], scope: Scope, walk: Walk): string | undefined {
  const [name = '', ...rest] = path;
  switch (head) {
    case 'params':
      return walk(scope.params.get(name), rest);
    case 'env':
      return walk(scope.env.get(name), rest);
    case 'consts':
      return walk(scope.consts?.get(name), rest);
    case 'foreach':
      return walk(scope.foreach?.get(name), rest);
    case 'context':
      return scope.context?.get(path.join('.'));
    case 'steps':
      return resolveStepValue(scope.steps?.get(name), rest, walk);
  }
}

/** Resolves `outputs` and the older step properties. */
function resolveStepValue(
  step: StepValues | undefined,
  [field, ...path]: readonly string[],
  walk: Walk,
): string | undefined {
  const [name = '', ...rest] = path;
  switch (field) {
    case 'outputs':
      return walk(step?.outputs?.get(name), rest) ?? walk(step?.collected, path);
    case 'output':
      return walk(step?.output, path);
    case 'stdout':
    case 'stderr':
      return path.length === 0 ? step?.[field] : undefined;
    case 'exit_code':
    case 'exitCode':
      return path.length === 0 ? step?.exitCode?.toString() : undefined;
    default:
      return undefined;
  }
}

function createWalk(): Walk {
  const parsed = new Map<string, JsonValue | undefined>();
  const parse = (text: string) => {
    if (!parsed.has(text)) parsed.set(text, parseJson(text));
    return parsed.get(text);
  };
  return (start, path) => {
    let value = start;
    for (const part of path) value = getMember(typeof value === 'string' ? parse(value) : value, part);
    if (value === undefined) return undefined;
    return typeof value === 'string' ? value : JSON.stringify(value);
  };
}

function getMember(value: JsonValue | undefined, part: string): JsonValue | undefined {
  if (value === null || typeof value !== 'object') return undefined;
  // An array has indexes, but no `length`.
  if (!Object.hasOwn(value, part) || (Array.isArray(value) && !/^\d+$/.test(part))) return undefined;
  return (value as Readonly<Record<string, JsonValue>>)[part];
}

function parseJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    // A string that is not JSON has no members.
    return undefined;
  }
}
