export type JsonObject = Readonly<Record<string, unknown>>;

/** `undefined` unless the text is a JSON object. */
export function parseJsonObject(text: string): JsonObject | undefined {
  try {
    return toJsonObject(JSON.parse(text));
  } catch {
    return undefined;
  }
}

export function toJsonObject(value: unknown): JsonObject | undefined {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as JsonObject) : undefined;
}
