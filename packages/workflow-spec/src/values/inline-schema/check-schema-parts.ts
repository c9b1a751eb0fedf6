import type { JsonObject, JsonValue } from '../../model/json';
import { quote } from '../../source/text/quote';
import { getEntries, getItems, report, getText, type YamlEntry, type YamlValue } from '../../source/yaml/yaml-value';

const schemas = new Set([
  'additionalItems',
  'additionalProperties',
  'contains',
  'else',
  'if',
  'items',
  'not',
  'propertyNames',
  'then',
]);
const lists = new Set(['allOf', 'anyOf', 'items', 'oneOf']);
const maps = new Set(['$defs', 'definitions', 'dependencies', 'patternProperties', 'properties']);

/**
 * Reports errors that the meta-schema cannot detect: invalid patterns and dangling references. `whole` is the schema
 * that contains `part`.
 */
export function checkSchemaParts(part: YamlValue, whole: JsonObject): void {
  for (const { key, value } of getEntries(part)) {
    if (key === 'pattern') checkPattern(getText(value) ?? '', value);
    else if (key === '$ref') checkReference(value, whole);
    if (key === 'patternProperties') getEntries(value).forEach(checkPatternKey);
    if (schemas.has(key)) checkSchemaParts(value, whole);
    if (lists.has(key)) for (const item of getItems(value)) checkSchemaParts(item, whole);
    if (maps.has(key)) for (const inner of getEntries(value)) checkSchemaParts(inner.value, whole);
  }
}

function checkPatternKey({ key, location, value }: YamlEntry): void {
  checkPattern(key, { ...value, ...location });
}

function checkPattern(pattern: string, source: YamlValue): void {
  const problem = source.context.checkPattern(pattern);
  if (problem !== undefined) report(source, 'invalid_json_schema', `the pattern ${quote(pattern)}: ${problem}`);
}

function checkReference(reference: YamlValue, whole: JsonObject): void {
  const target = getText(reference) ?? '';
  if (target === '#' || (target.startsWith('#/') && hasPart(whole, target.slice(2)))) return;
  const message = `the reference ${quote(target)} must point to a part of the same schema, such as #/definitions/name`;
  report(reference, 'invalid_json_schema', message);
}

function hasPart(whole: JsonObject, pointer: string): boolean {
  let at: JsonValue | undefined = whole;
  for (const part of pointer.split('/')) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return false;
    // An array has its items under their indexes, so it is read like a map.
    at = (at as JsonObject)[name];
  }
  return true;
}
