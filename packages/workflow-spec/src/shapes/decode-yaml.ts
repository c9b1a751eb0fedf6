import type { JsonValue } from '../model/json';
import { anyJson } from './shapes';
import { readDocuments } from '../source/yaml/read-documents';

/** The problem never quotes the text. */
export type DecodedYaml = { readonly value: JsonValue } | { readonly problem: string };

/** Decodes a YAML text of one document within the limits of DAG files; `null` for an empty text. */
export function decodeYaml(text: string): DecodedYaml {
  const { documents, report } = readDocuments(text);
  const [document, second] = documents;
  const value = document === undefined ? null : anyJson.read(document);
  // Messages of findings may quote the text.
  const error = report.list().find(({ severity }) => severity === 'error');
  if (error) return { problem: `is not valid YAML, line ${error.line}` };
  if (second) return { problem: 'contains more than one YAML document' };
  return value === undefined ? { problem: 'is not valid YAML' } : { value };
}
