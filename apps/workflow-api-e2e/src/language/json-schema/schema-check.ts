import Ajv, { type ValidateFunction } from 'ajv';
import { parseAllDocuments } from 'yaml';

/** What a JSON Schema has against the documents of a YAML text; empty when it takes them. */
export type Check = (text: string) => readonly string[];

export function createCheck(schema: object): Check {
  const validate: ValidateFunction = new Ajv({ strict: false }).compile(schema);
  return (text) =>
    parseDocuments(text).flatMap((document) =>
      validate(document)
        ? []
        : (validate.errors ?? []).map(({ instancePath, message = '' }) => `${instancePath} ${message}`),
    );
}

function parseDocuments(text: string): readonly unknown[] {
  const documents = parseAllDocuments(text, { version: '1.2', schema: 'core', merge: true });
  if (!Array.isArray(documents)) return [];
  const values = documents.map((document) => JSON.parse(JSON.stringify(document.toJS() ?? null)) as unknown);
  return values.filter((value) => value !== null);
}
