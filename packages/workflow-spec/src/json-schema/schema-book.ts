import type { JsonSchema, SchemaBook } from './json-schema';

export interface DefinitionBook extends SchemaBook {
  /** The named parts so far, in the order in which they were met. */
  readonly definitions: ReadonlyMap<string, JsonSchema>;
}

/** A book whose parts are the `definitions` of one schema. */
export function createSchemaBook(): DefinitionBook {
  const definitions = new Map<string, JsonSchema>();
  return {
    definitions,
    refer: (name, build) => {
      if (!definitions.has(name)) {
        // Entered before it is built, so that a part may refer to itself.
        definitions.set(name, {});
        definitions.set(name, build());
      }
      return referTo(name);
    },
    forwardRef: referTo,
  };
}

export function referTo(name: string): JsonSchema {
  return { $ref: `#/definitions/${name}` };
}

/** The name of the definition that a schema refers to. */
export function referredName({ $ref: reference }: JsonSchema): string | undefined {
  const prefix = '#/definitions/';
  return typeof reference === 'string' && reference.startsWith(prefix) ? reference.slice(prefix.length) : undefined;
}
