/** JSON unless the body is a text. */
export interface FakeAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** Thrown by a check that does not hold; becomes the answer. */
export class Refusal extends Error {
  constructor(readonly answer: FakeAnswer) {
    super(`refused with ${answer.status}`);
  }
}

/** In the form of the token endpoints. */
export function oauthRefusal(status: number, error: string, description: string): Refusal {
  return new Refusal({ status, body: { error, error_description: description } });
}

/** In the form of the cloud's other APIs. */
export function apiRefusal(status: number, message: string): Refusal {
  return new Refusal(apiError(status, message));
}

export function apiError(status: number, message: string): FakeAnswer {
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
