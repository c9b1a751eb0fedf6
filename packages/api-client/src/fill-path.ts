/**
 * Fills the braces with percent-encoded values. Throws when a value is missing, empty, `.` or `..`: the address would
 * be that of another operation.
 */
export function fillPath(path: string, values: Readonly<Record<string, unknown>>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if ((typeof value !== 'string' && typeof value !== 'number') || ['', '.', '..'].includes(String(value))) {
      throw new TypeError(`The path parameter "${name}" needs a value that is neither empty nor a dot segment.`);
    }
    return encodeURIComponent(value);
  });
}
