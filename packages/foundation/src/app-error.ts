import type { ErrorCode } from './error-code';

// Registered in the global symbol table, so that two copies of this package recognise each other's errors.
const marker = Symbol.for('@weir/foundation/app-error');

export interface AppErrorOptions {
  /** Stable snake_case identifier for programs, more specific than the code: `username_taken`. */
  readonly reason?: string;
  /** JSON-safe information for the caller. It must contain no secrets: details are sent over the wire. */
  readonly details?: Readonly<Record<string, unknown>>;
  /** The caught error. It is only for logs, and never shown to the caller. */
  readonly cause?: unknown;
}

/**
 * The error type of this repository. `message` is a plain sentence that is safe to show to the caller; anything else
 * belongs in `cause`.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly reason: string | undefined;
  readonly details: Readonly<Record<string, unknown>> | undefined;

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.reason = options.reason;
    this.details = options.details;
    Object.defineProperty(this, marker, { value: true });
  }
}

/** Whether a caught value is an {@link AppError}, also one made by another copy of this package. */
export function isAppError(value: unknown): value is AppError {
  return value instanceof Error && marker in value;
}
