const parameter = /\{([A-Za-z][A-Za-z0-9]*)\}/g;

/** The names in braces, in order. */
export function pathParameters(path: string): readonly string[] {
  return [...path.matchAll(parameter)].map((match) => match[1] ?? '');
}

/** The same path in Express form: `/users/:userId`. */
export function expressPath(path: string): string {
  return path.replaceAll(parameter, ':$1');
}
