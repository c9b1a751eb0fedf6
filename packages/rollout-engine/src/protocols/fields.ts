import type { z } from 'zod';
import { invalidRequest, notSupported } from './invalid-request';

const maxProblemLength = 200;

/** Parses a body; the first problem becomes an error that names the field as the protocols do. */
export function readBody<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const param = issue === undefined ? '' : toParam(issue.path);
  throw invalidRequest(param === '' ? 'body' : param, (issue?.message ?? 'is not valid').slice(0, maxProblemLength));
}

function toParam(path: readonly PropertyKey[]): string {
  const text = path.reduce<string>((left, key) => {
    if (typeof key === 'number') return `${left}[${key}]`;
    return left === '' ? String(key) : `${left}.${String(key)}`;
  }, '');
  return text.slice(0, maxProblemLength);
}

export interface FieldRules {
  /** Fields that are read. */
  readonly known: ReadonlySet<string>;
  /** Fields without an effect on the answer, or that only ask for what cannot be promised: reported in a header. */
  readonly ignored: ReadonlySet<string>;
}

/**
 * No field is dropped silently: it is read, reported as ignored, or rejected. `null` counts as missing. Takes the body as
 * it was sent, because a schema does not retain every name.
 */
export function ignoredFields(body: unknown, { known, ignored }: FieldRules, prefix = ''): readonly string[] {
  const given = Object.entries(body ?? {}).flatMap(([name, value]) => (value === null ? [] : [name]));
  const unknown = given.find((name) => !known.has(name) && !ignored.has(name));
  if (unknown !== undefined)
    throw notSupported((prefix + unknown).slice(0, maxProblemLength), 'is not a supported parameter.');
  return given.filter((name) => ignored.has(name));
}

/** The same for objects within a body: `tools.cache_control`, each name once. */
export function ignoredWithin(prefix: string, objects: readonly unknown[], rules: FieldRules): readonly string[] {
  const names = new Set<string>();
  for (const object of objects) for (const name of ignoredFields(object, rules, `${prefix}.`)) names.add(name);
  return [...names].map((name) => `${prefix}.${name}`);
}
