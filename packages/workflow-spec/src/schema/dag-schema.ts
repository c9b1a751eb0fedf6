import { dagKind } from '../dag-keys/dag-kind';
import type { JsonSchema } from '../read/json-schema';
import { objectSchema } from '../read/object-kind';
import { createSchemaBook } from './schema-book';
import { shareParts } from './share-parts';

let built: JsonSchema | undefined;

/**
 * The language as a JSON Schema (draft 07) for editors and other tools: one document of a DAG file. It never refuses
 * what {@link parseDag} takes; rules between keys and between steps are left to `parseDag`.
 */
export function dagSchema(): JsonSchema {
  built ??= build();
  return built;
}

function build(): JsonSchema {
  const book = createSchemaBook();
  const dag = objectSchema(dagKind, book);
  const [root, definitions] = shareParts(dag, book.definitions);
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    $id: 'urn:weir:schema:dag',
    title: 'Weir DAG',
    description: 'A workflow: what is run, in which order and when.',
    ...root,
    required: ['steps'],
    definitions: Object.fromEntries(definitions),
  };
}
