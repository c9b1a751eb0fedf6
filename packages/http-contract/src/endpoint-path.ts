const parameter = /\{([A-Za-z][A-Za-z0-9]*)\}/g;

/** The names in braces, in order. */
export function pathParameters(path: string): readonly string[] {
  return [...path.matchAll(parameter)].map((match) => match[1] ?? '');
}

/** Fills the braces with percent-encoded values. Throws when a value is missing, empty, `.` or `..`. */
export function fillPath(path: string, values: Readonly<Record<string, unknown>>): string {
  return path.replaceAll(parameter, (_, name: string) => {
    const value = values[name];
    if (typeof value !== 'string' || value === '' || value === '.' || value === '..') {
      throw new TypeError(`The path parameter "${name}" needs a string that is neither empty nor a dot segment.`);
    }
    return encodeURIComponent(value);
  });
}

/** The same path in Express form: `/users/:userId`. */
export function expressPath(path: string): string {
  return path.replaceAll(parameter, ':$1');
}
