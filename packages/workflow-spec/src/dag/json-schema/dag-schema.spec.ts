import Ajv from 'ajv';
import type { JsonSchema } from '../../shapes/json-schema/json-schema';
import { isSchema, mapSubSchemas } from '../../shapes/json-schema/sub-schemas';
import { createSchemaBook } from '../../shapes/json-schema/schema-book';
import { dagSchema } from './dag-schema';
import { schemaAt } from './schema-at';
import { shareDefinitions } from '../../shapes/json-schema/share-definitions';

const long = {
  type: 'object',
  properties: Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((key) => [key, { type: 'string' }])),
};

describe('dagSchema', () => {
  const text = JSON.stringify(dagSchema());

  it('is a schema that a strict validator accepts', () => {
    const ajv = new Ajv({ strict: true, allowUnionTypes: true, strictTypes: false, strictRequired: false });
    ajv.addVocabulary(['deprecationMessage', 'doNotSuggest']);
    expect(() => ajv.compile(dagSchema())).not.toThrow();
  });

  it('has a definition for each reference, and no unused definition', () => {
    const referred = [...text.matchAll(/"#\/definitions\/([^"]+)"/g)].map(([, name]) => name);
    const { definitions } = dagSchema();
    expect([...new Set(referred)].sort()).toEqual(Object.keys(isSchema(definitions) ? definitions : {}).sort());
  });

  it('is small enough for an editor', () => {
    expect(text.length).toBeLessThan(340_000);
  });

  it('describes every key of every object', () => {
    const undescribed: string[] = [];
    const visit = (schema: JsonSchema, key: string | undefined): JsonSchema => {
      const { properties } = schema;
      for (const [name, property] of Object.entries(isSchema(properties) ? properties : {})) {
        const isDescribed = isSchema(property) && typeof property.description === 'string';
        // A schema without a type is a rule about keys described elsewhere.
        if (!isDescribed && schema.type !== undefined) undescribed.push(`${key ?? ''}.${name}`);
      }
      return mapSubSchemas(schema, visit);
    };
    visit(dagSchema(), undefined);
    expect(undescribed).toEqual([]);
  });

  it('marks deprecated spellings and hides them from completion', () => {
    expect(schemaAt('steps.command')).toMatchObject({
      deprecated: true,
      deprecationMessage: 'Write run.',
      doNotSuggest: true,
    });
    expect(schemaAt('steps.run')).not.toHaveProperty('deprecated');
  });
});

describe('shareDefinitions', () => {
  it('writes a repeated part once and keeps the annotations of each use', () => {
    const root = {
      properties: { first_part: { description: 'one', ...long }, firstPart: { description: 'two', ...long } },
    };
    const [shared, definitions] = shareDefinitions(root, new Map());
    expect([...definitions]).toEqual([['FirstPart', long]]);
    expect(shared).toEqual({
      properties: {
        first_part: { description: 'one', allOf: [{ $ref: '#/definitions/FirstPart' }] },
        firstPart: { description: 'two', allOf: [{ $ref: '#/definitions/FirstPart' }] },
      },
    });
  });

  it('refers to an existing equal definition', () => {
    const [shared, definitions] = shareDefinitions({ items: long }, new Map([['Letters', long]]));
    expect([...definitions.keys()]).toEqual(['Letters']);
    expect(shared).toEqual({ items: { $ref: '#/definitions/Letters' } });
  });

  it('gives different names to different parts of the same key', () => {
    const other = { ...long, additionalProperties: false };
    const pair = (part: object): object => ({ properties: { x: part, y: part } });
    const [, definitions] = shareDefinitions({ anyOf: [pair(long), pair(other)] }, new Map());
    expect([...definitions.keys()]).toEqual(['X', 'X2']);
  });

  it('never reuses the name of a definition, even when two definitions are equal', () => {
    const other = { ...long, additionalProperties: false };
    const root = { properties: { letters: other, more: other } };
    const [, definitions] = shareDefinitions(root, new Map(Object.entries({ Letters: long, Same: long })));
    expect([...definitions]).toEqual([
      ['Letters', long],
      ['Letters2', other],
      ['Same', { $ref: '#/definitions/Letters' }],
    ]);
  });

  it('does not extract parts of a shared part', () => {
    const outer = { type: 'object', properties: { inner: long } };
    const [, definitions] = shareDefinitions({ properties: { a: outer, b: outer } }, new Map());
    expect([...definitions]).toEqual([['A', outer]]);
  });
});

describe('createSchemaBook', () => {
  it('lets a part refer to itself', () => {
    const book = createSchemaBook();
    const tree = (): ReturnType<typeof book.refer> => book.refer('Tree', () => ({ items: tree() }));
    expect(tree()).toEqual({ $ref: '#/definitions/Tree' });
    expect([...book.definitions]).toEqual([['Tree', { items: { $ref: '#/definitions/Tree' } }]]);
  });
});

describe('schemaAt', () => {
  it('is the whole schema for no path', () => {
    expect(schemaAt('')).toBe(dagSchema());
  });

  it('finds a key of the DAG, and of a step through the list of steps', () => {
    expect(schemaAt('max_active_steps')).toMatchObject({ type: ['integer', 'null'], minimum: 0 });
    expect(schemaAt('steps.description')).toMatchObject({ description: 'What the step does' });
  });

  it('accepts deprecated spellings', () => {
    expect(schemaAt('maxActiveSteps')).toMatchObject({ deprecated: true });
  });

  it('is self-contained', () => {
    const ajv = new Ajv({ strict: false });
    for (const key of ['steps', 'env', 'params', 'schedule', 'steps.env']) {
      expect(() => ajv.compile(schemaAt(key) ?? {})).not.toThrow();
    }
  });

  it.each(['stepz', 'steps.retry_policy.nothing', 'constructor', '__proto__', 'name.x'])(
    'finds nothing at %s',
    (path) => {
      expect(schemaAt(path)).toBeUndefined();
    },
  );
});
