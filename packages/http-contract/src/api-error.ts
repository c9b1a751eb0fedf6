import { z } from 'zod';

const ErrorBody = z.object({
  code: z.string(),
  message: z.string(),
  reason: z.string().optional(),
  details: z.record(z.string(), z.unknown()).optional(),
  requestId: z.string().optional(),
});

// Registered in the global symbol table, so that two copies of this package recognise each other's errors.
const marker = Symbol.for('@weir/http-contract/api-error');

/** An answer other than the success the contract names. */
export class ApiError extends Error {
  readonly status: number;
  /** The wire code, or the empty text when the body was no error object. */
  readonly code: string;
  readonly reason: string | undefined;
  readonly details: Readonly<Record<string, unknown>> | undefined;
  readonly requestId: string | undefined;
  readonly headers: Headers;

  private constructor(response: Response, body: z.output<typeof ErrorBody>) {
    super(body.message === '' ? `The server answered ${response.status}.` : body.message);
    this.name = 'ApiError';
    this.status = response.status;
    this.headers = response.headers;
    this.code = body.code;
    this.reason = body.reason;
    this.details = body.details;
    this.requestId = body.requestId;
    Object.defineProperty(this, marker, { value: true });
  }

  static fromResponse(response: Response, text: string): ApiError {
    return new ApiError(response, parseErrorBody(text));
  }
}

/** Whether a caught value is an {@link ApiError}, also one made by another copy of this package. */
export function isApiError(value: unknown): value is ApiError {
  return value instanceof Error && marker in value;
}

function parseErrorBody(text: string): z.output<typeof ErrorBody> {
  try {
    const parsed = ErrorBody.safeParse(JSON.parse(text));
    if (parsed.success) return parsed.data;
  } catch {
    // Not JSON: a proxy in between may answer in its own words, which are no use to the caller.
  }
  return { code: '', message: '' };
}
