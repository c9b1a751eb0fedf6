import fc from 'fast-check';

/** As much of a schema of OpenAPI 3.0 as the description uses. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly nullable?: boolean;
  readonly pattern?: string;
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

export type Resolve = (schema: Schema) => Schema;

/** What strings are too rarely by chance: names that exist, special ones, a spec, texts with a meaning elsewhere. */
const knownStrings = [
  ...['known', 'waiting', 'run-1', 'latest', 'local', 'all', 'default', 'ops', 'first', 'review', '1h'],
  ...['steps:\n  - run: "true"\n', 'steps: 5\n', '{}', 'A=1', '../x', '%2e%2e%2f', '\u0000', '${params.X}', ' '],
] as const;
const hostileValue = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom(...knownStrings));

/** Values of a schema, and now and then others. */
export function valuesOf(schema: Schema, resolve: Resolve, depth = 0): fc.Arbitrary<unknown> {
  const valid = validValuesOf(resolve(schema), resolve, depth);
  return fc.oneof({ weight: 9, arbitrary: valid }, { weight: 1, arbitrary: hostileValue });
}

function validValuesOf(schema: Schema, resolve: Resolve, depth: number): fc.Arbitrary<unknown> {
  const [choice] = [schema.anyOf ?? schema.oneOf];
  if (choice !== undefined) return fc.oneof(...choice.map((each) => valuesOf(each, resolve, depth)));
  if (schema.allOf !== undefined) return fc.oneof(...schema.allOf.map((each) => valuesOf(each, resolve, depth)));
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  switch (schema.type) {
    case 'string':
      return stringsOf(schema);
    case 'integer':
      return fc.integer({ min: schema.minimum ?? -1000, max: Math.min(schema.maximum ?? 1000, 100_000) });
    case 'number':
      return fc.double({ noNaN: true, noDefaultInfinity: true });
    case 'boolean':
      return fc.boolean();
    case 'array':
      return fc.array(valuesOf(schema.items ?? {}, resolve, depth + 1), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.max(schema.minItems ?? 0, Math.min(schema.maxItems ?? 3, 3)),
      });
    case 'object':
      return objectsOf(schema, resolve, depth);
    default:
      return hostileValue;
  }
}

function stringsOf({ pattern, format, minLength = 0, maxLength = 40 }: Schema): fc.Arbitrary<string> {
  const known = fc.constantFrom(...knownStrings);
  if (format === 'date-time') return fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
  const size = { minLength, maxLength: Math.max(minLength, Math.min(maxLength, 40)) };
  const random =
    pattern === undefined ? fc.string({ ...size, unit: 'grapheme' }) : fc.stringMatching(new RegExp(pattern));
  return fc.oneof({ weight: 2, arbitrary: known }, { weight: 1, arbitrary: random });
}

function objectsOf(schema: Schema, resolve: Resolve, depth: number): fc.Arbitrary<unknown> {
  if (depth > 4) return fc.constant({});
  const entries = Object.entries(schema.properties ?? {});
  // A wait would take that long.
  const fields = entries.map(([name, field]) => [
    name,
    name === 'timeout' ? fc.constant(1) : valuesOf(field, resolve, depth + 1),
  ]);
  const object = fc.record(Object.fromEntries(fields) as Record<string, fc.Arbitrary<unknown>>, {
    requiredKeys: [...(schema.required ?? [])],
  });
  if (typeof schema.additionalProperties !== 'object') return object;
  const extra = fc.dictionary(fc.string({ maxLength: 10 }), valuesOf(schema.additionalProperties, resolve, depth + 1), {
    maxKeys: 2,
    noNullPrototype: true,
  });
  return fc.tuple(object, extra).map(([own, other]) => ({ ...other, ...own }));
}
