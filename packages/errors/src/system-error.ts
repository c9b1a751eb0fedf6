/**
 * Whether a caught value is a failed system call with this code, such as `ENOENT`. Also for an error from another
 * realm, where `instanceof` does not hold: Jest gives each spec file a realm of its own, but not Node's modules.
 */
export function isSystemError(error: unknown, code: string): boolean {
  return Object.prototype.toString.call(error) === '[object Error]' && (error as { code?: unknown }).code === code;
}
