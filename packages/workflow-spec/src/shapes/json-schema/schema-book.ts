import type { JsonSchema, SchemaBook } from './json-schema';

export interface DefinitionBook extends SchemaBook {
  /** The definitions are in the order of registration. */
  readonly definitions: ReadonlyMap<string, JsonSchema>;
}

export function createSchemaBook(): DefinitionBook {
  const definitions = new Map<string, JsonSchema>();
  return {
    definitions,
    refer: (name, build) => {
      if (!definitions.has(name)) {
        // The part is registered before it is built, so that it may refer to itself.
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

export function referredName({ $ref: reference }: JsonSchema): string | undefined {
  const prefix = '#/definitions/';
  return typeof reference === 'string' && reference.startsWith(prefix) ? reference.slice(prefix.length) : undefined;
}
