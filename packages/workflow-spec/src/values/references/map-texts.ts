import type { JsonValue } from '../../model/json';

/** Returns a value with every text of it replaced; keys are not changed. */
export function mapTexts(value: JsonValue, map: (text: string) => string): JsonValue {
  if (typeof value === 'string') return map(value);
  if (typeof value !== 'object' || value === null) return value;
  if (isList(value)) return value.map((item) => mapTexts(item, map));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapTexts(item, map)]));
}

export function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
