/** The code of a failed system call, such as `ENOENT`, if the caught value has one. */
export function systemErrorCode(error: unknown): string | undefined {
  const { code } = Object(error) as { readonly code?: unknown };
  return typeof code === 'string' ? code : undefined;
}

/**
 * Whether a caught value is a failed system call with one of these codes. It also recognises an error from another
 * realm, where `instanceof` does not hold: Jest gives each spec file a separate realm, but not Node's modules.
 */
export function isSystemError(error: unknown, ...codes: readonly string[]): boolean {
  if (Object.prototype.toString.call(error) !== '[object Error]') return false;
  const code = systemErrorCode(error);
  return code !== undefined && codes.includes(code);
}
