import { parseAllDocuments } from 'yaml';

/** The text with even indentation; comments and order stay. Undefined where it cannot be read as YAML. */
export function formatSpec(text: string): string | undefined {
  const documents = parseAllDocuments(text, { keepSourceTokens: false });
  if (!Array.isArray(documents) || documents.length === 0) return undefined;
  if (documents.some(({ errors }) => errors.length > 0)) return undefined;
  return documents.map((document) => document.toString({ lineWidth: 0, flowCollectionPadding: false })).join('');
}
