/**
 * Whether a file operation failed with one of these codes. By shape and not by class: where code runs in a realm of
 * its own, as in Jest, errors of the file system are no instances of its `Error`.
 */
export function isFileError(error: unknown, ...codes: readonly string[]): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && codes.includes(String(error.code));
}
