import { AppError } from '@weir/foundation';
import { dagSchema, schemaAt, type JsonSchema } from '@weir/workflow-spec/editor';
import { createSuggest, didYouMean } from '@weir/workflow-spec/text';

/** Returns the JSON Schema of DAG files as text, or its part at a dotted path of keys. Throws `invalid_request` for others. */
export function schemaText(name: string, path: string): string {
  if (name !== 'dag') throw new AppError('invalid_request', `There is no schema "${name}"; there is "dag".`);
  const part = schemaAt(path);
  if (part === undefined) throw new AppError('invalid_request', unknownPath(path));
  return JSON.stringify(part, undefined, 2);
}

/** Names the first key of the path that does not exist, and the key that was probably meant. */
function unknownPath(path: string): string {
  const keys = path.split('.');
  const index = keys.findIndex((_, index) => schemaAt(keys.slice(0, index + 1).join('.')) === undefined);
  const wrong = keys[index] ?? '';
  const parent = keys.slice(0, index);
  const names = [...namesIn(dagSchema())].filter((name) => schemaAt([...parent, name].join('.')) !== undefined);
  const parentText = parent.length === 0 ? 'a DAG' : `"${parent.join('.')}"`;
  return `There is no key "${wrong}" in ${parentText}${didYouMean(createSuggest()(wrong, names))}.`;
}

/** Returns every key that the schema describes anywhere. */
function namesIn(schema: JsonSchema, names = new Set<string>()): ReadonlySet<string> {
  for (const [keyword, value] of Object.entries(schema)) {
    if (typeof value !== 'object' || value === null) continue;
    if (keyword === 'properties') Object.keys(value).forEach((name) => names.add(name));
    namesIn(value as JsonSchema, names);
  }
  return names;
}
