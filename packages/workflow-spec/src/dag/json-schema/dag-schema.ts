import { dagKind } from '../../keys/dag-keys/dag-kind';
import type { JsonSchema } from '../../shapes/json-schema/json-schema';
import { objectSchema } from '../../shapes/object-kind';
import { createSchemaBook } from '../../shapes/json-schema/schema-book';
import { shareDefinitions } from '../../shapes/json-schema/share-definitions';

let built: JsonSchema | undefined;

/**
 * Returns the language as a JSON Schema (draft 07) for editors and other tools; it describes one document. It never
 * rejects what {@link parseDag} accepts: rules between keys and between steps are checked only by `parseDag`.
 */
export function dagSchema(): JsonSchema {
  built ??= build();
  return built;
}

function build(): JsonSchema {
  const book = createSchemaBook();
  const dag = objectSchema(dagKind, book);
  const [root, definitions] = shareDefinitions(dag, book.definitions);
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    $id: 'urn:weir:schema:dag',
    title: 'Weir DAG',
    description: 'A workflow: its steps, their order and their schedule.',
    ...root,
    required: ['steps'],
    definitions: Object.fromEntries(definitions),
  };
}
