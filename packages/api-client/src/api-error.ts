interface ErrorBody {
  readonly code: string;
  readonly message: string;
  readonly reason?: string;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly requestId?: string;
}

// Registered in the global symbol table, so that two copies of this package recognise each other's errors.
const marker = Symbol.for('@weir/api-client/api-error');

/** A response other than a success. */
export class ApiError extends Error {
  readonly status: number;
  /** The kind of failure; `undefined` if the body is not an error of the API, as a proxy may have answered. */
  readonly code: string | undefined;
  /** A stable identifier for programs, more specific than the code. */
  readonly reason: string | undefined;
  readonly details: Readonly<Record<string, unknown>> | undefined;
  /** The id under which the server logged the request. */
  readonly requestId: string | undefined;
  readonly headers: Headers;

  constructor({ status, headers }: Response, text: string) {
    const body = parseErrorBody(text);
    super(body?.message ?? `The server answered ${status}.`);
    this.name = 'ApiError';
    this.status = status;
    this.headers = headers;
    this.code = body?.code;
    this.reason = body?.reason;
    this.details = body?.details;
    this.requestId = body?.requestId;
    Object.defineProperty(this, marker, { value: true });
  }
}

/** Whether a caught value is an {@link ApiError}, also one made by another copy of this package. */
export function isApiError(value: unknown): value is ApiError {
  return value instanceof Error && marker in value;
}

function parseErrorBody(text: string): ErrorBody | undefined {
  try {
    const body = JSON.parse(text) as Partial<ErrorBody> | null;
    // Both are in every error of the API; the document describes the rest of its shape.
    return typeof body?.code === 'string' && typeof body.message === 'string' ? (body as ErrorBody) : undefined;
  } catch {
    return undefined;
  }
}
