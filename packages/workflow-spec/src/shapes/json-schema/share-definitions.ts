import type { JsonSchema } from './json-schema';
import { referTo } from './schema-book';
import { mapSubSchemas, schemasIn } from './sub-schemas';

type Definitions = ReadonlyMap<string, JsonSchema>;

/** Shorter parts are easier to read inline. */
const minSharedLength = 160;
/** Keywords about one use of a part; parts that differ only in these are shared. */
const annotationKeywords = new Set(['description', 'deprecated', 'deprecationMessage', 'doNotSuggest', 'default']);

/**
 * Moves parts that occur several times, mostly because a key has deprecated spellings, to shared definitions. Returns
 * the root and all definitions.
 */
export function shareDefinitions(root: JsonSchema, named: Definitions): readonly [root: JsonSchema, all: Definitions] {
  const counts = countParts([root, ...named.values()]);
  // The first of two equal definitions is referenced.
  const names = new Map([...named].reverse().map(([name, schema]) => [partText(schema), name]));
  const usedNames = new Set(named.keys());
  const all = new Map<string, JsonSchema>();
  const share = (schema: JsonSchema, context: string): JsonSchema =>
    mapSubSchemas(schema, (inner, key) => {
      const partContext = key === undefined ? context : pascalCase(key);
      const [annotations, part] = splitAnnotations(inner);
      const text = JSON.stringify(part);
      const known = names.get(text);
      if (known === undefined && !isShared(part, counts.get(text) ?? 0)) return share(inner, partContext);
      const name = known ?? chooseUniqueName(partContext, usedNames);
      if (known === undefined) {
        names.set(text, name);
        usedNames.add(name);
        all.set(name, share(part, partContext));
      }
      return Object.keys(annotations).length === 0 ? referTo(name) : { ...annotations, allOf: [referTo(name)] };
    });
  const sharedRoot = share(root, 'Dag');
  for (const [name, schema] of named) {
    const same = names.get(partText(schema)) ?? name;
    all.set(name, same === name ? share(schema, name) : referTo(same));
  }
  return [sharedRoot, new Map([...all].sort(([left], [right]) => (left < right ? -1 : 1)))];
}

/** Counts the occurrences of each part; the content of a repeated part counts once. */
function countParts(schemas: readonly JsonSchema[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const visit = (inner: JsonSchema): JsonSchema => {
    const [, part] = splitAnnotations(inner);
    const text = JSON.stringify(part);
    const count = counts.get(text) ?? 0;
    counts.set(text, count + 1);
    if (count === 0 || isNullable(part)) mapSubSchemas(part, visit);
    return inner;
  };
  for (const schema of schemas) mapSubSchemas(schema, visit);
  return counts;
}

function isShared(part: JsonSchema, count: number): boolean {
  return count > 1 && !isNullable(part) && JSON.stringify(part).length >= minSharedLength;
}

/** `anyOf: [part, null]`: the part is shared, not the wrapper. */
function isNullable(part: JsonSchema): boolean {
  const choices = schemasIn(part, 'anyOf');
  return Object.keys(part).length === 1 && choices.length === 2 && choices[1]?.type === 'null';
}

function splitAnnotations(schema: JsonSchema): readonly [note: JsonSchema, part: JsonSchema] {
  const entries = Object.entries(schema);
  return [
    Object.fromEntries(entries.filter(([keyword]) => annotationKeywords.has(keyword))),
    Object.fromEntries(entries.filter(([keyword]) => !annotationKeywords.has(keyword))),
  ];
}

function partText(schema: JsonSchema): string {
  return JSON.stringify(splitAnnotations(schema)[1]);
}

function chooseUniqueName(wanted: string, usedNames: ReadonlySet<string>): string {
  if (!usedNames.has(wanted)) return wanted;
  for (let count = 2; ; count += 1) {
    const name = `${wanted}${count}`;
    if (!usedNames.has(name)) return name;
  }
}

function pascalCase(key: string): string {
  return key
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('');
}
