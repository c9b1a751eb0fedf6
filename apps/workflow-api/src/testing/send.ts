export interface SendOptions {
  /** The body is sent as JSON. */
  readonly body?: unknown;
  /** The text is sent unchanged, as `application/json`. */
  readonly text?: string;
  /** A token or key that is sent as a bearer value. */
  readonly as?: string;
  /** The client's address, as a trusted proxy reports it. */
  readonly from?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly status: number;
  /** The JSON body; an empty object where there is none. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers: Headers;
}

/** Sends a request such as `send('POST /users', { as: token, body: { … } })`. */
export type Send = (operation: `${string} /${string}`, options?: SendOptions) => Promise<Answer>;

const timeoutMs = 20_000;

export function createSender(baseUrl: string): Send {
  return async (operation, options = {}) => {
    const { body, text = body === undefined ? undefined : JSON.stringify(body), as, from, headers } = options;
    const [method = '', path = ''] = operation.split(/ (.*)/s);
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: {
        ...(text === undefined ? {} : { 'content-type': 'application/json' }),
        ...(as === undefined ? {} : { authorization: `Bearer ${as}` }),
        ...(from === undefined ? {} : { 'x-forwarded-for': from }),
        ...headers,
      },
      ...(text === undefined ? {} : { body: text }),
      signal: AbortSignal.timeout(timeoutMs),
    });
    const answer = await response.text();
    return {
      status: response.status,
      // Every answer of the API is a JSON object or empty; other answers fail here, as a spec expects.
      body: (answer === '' ? {} : JSON.parse(answer)) as Answer['body'],
      headers: response.headers,
    };
  };
}
