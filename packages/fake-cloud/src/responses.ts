/** JSON unless the body is a string. */
export interface FakeResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** Thrown by a failed check; contains the response. */
export class RejectedRequest extends Error {
  constructor(readonly response: FakeResponse) {
    super(`rejected with ${response.status}`);
  }
}

/** Uses the format of the token endpoints. */
export function oauthError(status: number, error: string, description: string): RejectedRequest {
  return new RejectedRequest({ status, body: { error, error_description: description } });
}

/** Uses the format of Google APIs. */
export function apiRejection(status: number, message: string): RejectedRequest {
  return new RejectedRequest(apiErrorResponse(status, message));
}

export function apiErrorResponse(status: number, message: string): FakeResponse {
  return { status, body: { error: { code: status, message, status: statusNames[status] ?? 'UNKNOWN' } } };
}

const statusNames: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
};
