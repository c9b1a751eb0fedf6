import fc from 'fast-check';

type Schema = Readonly<Record<string, unknown>>;

/** A second implementation of the supported keywords, to check the grammar against. */
export function isValid(value: unknown, schema: unknown, root: Schema): boolean {
  if (schema === true) return true;
  const { $ref, anyOf, type, properties, required, additionalProperties, items, ...bounds } = schema as Schema;
  if (typeof $ref === 'string') return isValid(value, (root.$defs as Schema)[$ref.split('/')[2] ?? ''], root);
  if (Array.isArray(anyOf)) return anyOf.some((choice) => isValid(value, choice, root));
  if ('const' in bounds) return JSON.stringify(value) === JSON.stringify(bounds.const);
  if (Array.isArray(bounds.enum)) return bounds.enum.includes(value);
  const types = type === undefined ? [] : [type].flat();
  if (types.length > 0 && !types.some((name) => hasType(value, name))) return false;
  if (typeof value === 'string') return fits(Array.from(value).length, bounds.minLength, bounds.maxLength);
  if (typeof value === 'number') return fits(value, bounds.minimum, bounds.maximum);
  if (Array.isArray(value)) {
    return (
      fits(value.length, bounds.minItems, bounds.maxItems) && value.every((item) => isValid(item, items ?? true, root))
    );
  }
  if (typeof value !== 'object' || value === null) return true;
  const known = (properties ?? {}) as Schema;
  return (
    ((required ?? []) as string[]).every((name) => Object.hasOwn(value, name)) &&
    Object.entries(value).every(([name, member]) =>
      Object.hasOwn(known, name)
        ? isValid(member, known[name], root)
        : additionalProperties !== false && isValid(member, additionalProperties ?? true, root),
    )
  );
}

function hasType(value: unknown, name: unknown): boolean {
  if (name === 'null') return value === null;
  if (name === 'array') return Array.isArray(value);
  if (name === 'integer') return Number.isInteger(value);
  return typeof value === name && value !== null && !Array.isArray(value);
}

function fits(count: number, min: unknown, max: unknown): boolean {
  return count >= Number(min ?? -Infinity) && count <= Number(max ?? Infinity);
}

export const seeds = fc.array(fc.nat(), { minLength: 1, maxLength: 60 });

const leaves: fc.Arbitrary<Schema> = fc.oneof(
  fc.constantFrom<Schema>(
    {},
    { type: 'string', title: 'Name', description: 'a name' },
    { type: 'string', minLength: 2, maxLength: 4 },
    { type: 'string', maxLength: 1 },
    { type: 'string', maxLength: 0 },
    { type: 'integer' },
    { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
    { type: 'number' },
    { type: 'number', minimum: 0 },
    { type: 'boolean' },
    { type: 'null' },
    { type: ['string', 'null', 'integer'] },
    { type: 'object' },
    { type: 'object', properties: {}, additionalProperties: false },
    { $ref: '#/$defs/tree' },
  ),
  fc
    .array(fc.oneof(fc.string({ unit: 'binary' }), fc.integer(), fc.boolean()), { minLength: 1, maxLength: 3 })
    .map((values) => ({ enum: values })),
  fc.constantFrom<Schema>({ const: { a: ['\n"\\]'] } }, { const: null }),
);

export const tree: Schema = {
  type: 'object',
  properties: { value: { type: 'integer' }, left: { anyOf: [{ $ref: '#/$defs/tree' }, { type: 'null' }] } },
  required: ['value'],
};

export const { schema: schemas } = fc.letrec<{ schema: Schema }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    leaves,
    fc.record({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
    fc
      .tuple(tie('schema'), fc.nat({ max: 2 }), fc.nat({ max: 2 }))
      .map(([items, min, more]) => ({ type: 'array', items, minItems: min, maxItems: min + more })),
    tie('schema').map((items) => ({ type: 'array', items })),
    tie('schema').map((additionalProperties) => ({ type: 'object', additionalProperties })),
    fc
      .array(fc.tuple(fc.string({ minLength: 1, maxLength: 4 }), tie('schema'), fc.boolean()), {
        minLength: 1,
        maxLength: 4,
      })
      .map((members) => ({
        type: 'object',
        properties: Object.fromEntries(members.map(([name, schema]) => [`p${name}`, schema])),
        required: [...new Set(members.filter(([, , isRequired]) => isRequired).map(([name]) => `p${name}`))],
      })),
  ),
}));
