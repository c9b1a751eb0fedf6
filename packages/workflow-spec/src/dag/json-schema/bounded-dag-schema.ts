import { dagSchema } from './dag-schema';
import type { JsonSchema } from '../../shapes/json-schema/json-schema';
import { referredName, referTo } from '../../shapes/json-schema/schema-book';
import { isSchema, mapSubSchemas } from '../../shapes/json-schema/sub-schemas';

/** The number of levels of nested steps that are described; deeper ones may be anything. */
const levels = 3;
/** References to this definition enter the next level of recursion. */
const entry = 'Steps';

let built: JsonSchema | undefined;

/**
 * Returns the schema of {@link dagSchema} without recursion, for tools that replace every reference by its
 * definition. It accepts at least what that schema accepts.
 */
export function boundedDagSchema(): JsonSchema {
  built ??= build(dagSchema());
  return built;
}

function build(schema: JsonSchema): JsonSchema {
  const { definitions, ...root } = schema;
  const given: JsonSchema = isSchema(definitions) ? definitions : {};
  const recursive = findRecursive(given);
  const bounded: Record<string, unknown> = {};
  const pointTo = (name: string, level: number): JsonSchema => {
    const definition = given[name];
    if (level > levels || !isSchema(definition)) return {};
    const boundedName = recursive.has(name) && level > 1 ? `${name}${level}` : name;
    if (!(boundedName in bounded)) {
      bounded[boundedName] = {};
      bounded[boundedName] = rewrite(definition, recursive.has(name) ? level : 1);
    }
    return referTo(boundedName);
  };
  const rewrite = (part: JsonSchema, level: number): JsonSchema => {
    const name = referredName(part);
    // Definitions that are not recursive refer to the outermost steps.
    if (name !== undefined) return pointTo(name, level === 0 ? 1 : name === entry ? level + 1 : level);
    return mapSubSchemas(part, (inner) => rewrite(inner, level));
  };
  const boundedRoot = rewrite(root, 0);
  return { ...boundedRoot, $id: 'urn:weir:schema:dag:bounded', definitions: bounded };
}

/** Finds the definitions that contain themselves, directly or through others. */
function findRecursive(definitions: JsonSchema): ReadonlySet<string> {
  const names = Object.keys(definitions);
  const next = new Map(names.map((name) => [name, referredIn(definitions[name])]));
  const reaches = (from: string, to: string, seen = new Set<string>()): boolean =>
    [...(next.get(from) ?? [])].some((name) => {
      if (name === to) return true;
      if (seen.has(name)) return false;
      seen.add(name);
      return reaches(name, to, seen);
    });
  return new Set(names.filter((name) => reaches(name, name)));
}

function referredIn(schema: unknown): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (part: JsonSchema): JsonSchema => {
    const name = referredName(part);
    if (name !== undefined) found.add(name);
    return mapSubSchemas(part, visit);
  };
  if (isSchema(schema)) visit(schema);
  return found;
}
