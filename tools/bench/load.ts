import autocannon from 'autocannon';

export interface Load {
  readonly url: string;
  readonly method?: 'GET' | 'POST';
  readonly token?: string;
  readonly body?: unknown;
  readonly connections: number;
  readonly seconds: number;
}

export interface LoadResult {
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Answers other than 2xx, and requests without an answer. */
  readonly failures: number;
}

/** Sends requests over a few connections for a bounded time, after a short warm-up. */
export async function measure(load: Load): Promise<LoadResult> {
  await run({ ...load, seconds: 1 });
  return run(load);
}

async function run({ url, method = 'GET', token, body, connections, seconds }: Load): Promise<LoadResult> {
  const result = await autocannon({
    url,
    method,
    connections,
    duration: seconds,
    timeout: 30,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return {
    requestsPerSecond: Math.round(result.requests.average),
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    failures: result.non2xx + result.errors,
  };
}
