import type { ErrorCode } from './error-code';

// Registered in the global symbol table, so that two copies of this package recognise each other's errors.
const marker = Symbol.for('@weir/errors/app-error');

export interface AppErrorOptions {
  /** Stable snake_case word for programs, narrower than the code: `username_taken`. */
  readonly reason?: string;
  /** JSON-safe facts for the caller. Never secrets: details are sent over the wire. */
  readonly details?: Readonly<Record<string, unknown>>;
  /** What was caught. For logs only, never shown. */
  readonly cause?: unknown;
}

/**
 * The one error type of this repository. `message` is a plain sentence that is safe to show to the caller;
 * everything that is not goes into `cause`.
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
