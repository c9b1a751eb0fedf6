import { causeChain } from '@weir/foundation';

interface ErrorDescription {
  readonly name: string;
  readonly message: string;
  readonly stack: string;
  readonly code?: string | number;
  readonly reason?: string;
}

/**
 * An error as JSON for a log line, each of its causes in a list. Only the listed properties: libraries hang requests,
 * bodies and connection settings on their errors.
 */
export function describeError(error: unknown): unknown {
  const [first, ...causes] = causeChain(error).map(describeLink);
  return causes.length === 0 || typeof first !== 'object' ? first : { ...first, causes };
}

function describeLink(link: unknown): ErrorDescription | string {
  if (!isErrorLike(link)) return typeof link === 'string' ? link : 'A value that is not an error was thrown.';
  const { code, reason } = link;
  return {
    name: link.name,
    message: link.message,
    stack: link.stack ?? '',
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
    ...(typeof reason === 'string' ? { reason } : {}),
  };
}

// Errors are recognised by shape: those of another realm, such as a DOMException, are no instance of our Error.
function isErrorLike(value: unknown): value is Error & { readonly code?: unknown; readonly reason?: unknown } {
  return typeof value === 'object' && value !== null && 'message' in value && typeof value.message === 'string';
}
