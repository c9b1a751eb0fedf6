/** No answer came: the server is down, or the network is. */
export class ServerUnreachable extends Error {
  override readonly name = 'ServerUnreachable';
}

/** An answer that says what has failed. The clients of all servers throw such errors. */
export interface FailedAnswer extends Error {
  readonly status: number;
  readonly requestId?: string | undefined;
}

export function isFailedAnswer(error: unknown): error is FailedAnswer {
  return error instanceof Error && 'status' in error && typeof error.status === 'number';
}

/** The status of the answer, where one came. */
export function statusOf(error: unknown): number | undefined {
  return isFailedAnswer(error) ? error.status : undefined;
}

/** Whether the page itself has given the request up. */
export function isAborted(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}
