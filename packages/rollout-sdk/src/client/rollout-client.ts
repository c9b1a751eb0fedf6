import { randomUUID } from 'node:crypto';
import { createApiClient, isApiError, type ApiClient } from '@weir/api-client';
import type {
  AdapterSummary,
  ExportResponse,
  Recording,
  ScoreSessionResponse,
  SessionAdapter,
  SessionSummary,
  UpdateWeightsRequest,
} from '@weir/rollout-contract';
import type { Paths } from '@weir/rollout-contract/paths';
import type { LoadedRow } from '../load/load';
import { streamExport } from './export-stream';
import { createHttpClient, type HttpClient } from './http-client';
import { retryUntilAnswered } from './retry';
import {
  createRolloutSession,
  type ExportOptions,
  type RolloutSession,
  type SessionInteraction,
} from './rollout-session';

export interface RolloutClientOptions {
  /** The URL of the proxy without `/v1`, such as `http://127.0.0.1:8090`. */
  readonly url: string;
  readonly adminKey: string;
  /** Default: a client that `close` closes. */
  readonly httpClient?: HttpClient;
  /** The time limit of one call, answer included. Default 60 s. */
  readonly timeoutMs?: number;
  /** How long a grant and a start wait for capacity, or for a proxy that does not answer. Default 10 min. */
  readonly maxWaitMs?: number;
}

export interface StartOptions {
  /** The beginning of the session's id. Default: empty. */
  readonly taskId?: string;
  /** What is recorded of its calls besides their tokens. Default: as the proxy is set. */
  readonly record?: Recording;
  /** The LoRA adapter that samples its calls; the engine loads one that it does not have. Default: none. */
  readonly adapter?: SessionAdapter;
  /** Ends the wait for capacity. */
  readonly signal?: AbortSignal;
}

export interface ScoreOptions {
  /** How many of the likeliest tokens of the model are stored at each sampled position. Default 0. */
  readonly topLogprobs?: number;
  /** Whether calls that the model has scored are scored again. Default false. */
  readonly again?: boolean;
  /** How long the model may take. Default 10 min, at most 1 h. */
  readonly timeoutMs?: number;
}

export interface WeightUpdate {
  /**
   * Embedded engine: a GGUF file on the machine of the proxy, which is copied. SGLang and vLLM: a folder on the machine
   * of the engine, or the name of a model. Omitted if the trainer has loaded the weights itself.
   */
  readonly file?: string;
  /** The LoRA adapter that is updated, and nothing else. It needs a `file`. Default: the weights of the model. */
  readonly adapter?: string;
  /** Must be above the current version. */
  readonly version: number;
  /** What happens to running generations. Default `continue`: on the new weights, each token with its version. */
  readonly inFlight?: UpdateWeightsRequest['in_flight'];
}

export interface Capacity {
  /** Sessions that count as in flight: `active` or `ending`. */
  readonly unfinished: number;
  /** Sessions that wait for an export or its acknowledgement. */
  readonly retained: number;
}

/** The control operations of the proxy, with the admin key. Calls reject with an `ApiError` for an error answer. */
export interface RolloutClient {
  readonly url: string;
  readonly httpClient: HttpClient;
  /**
   * Reserves capacity for one session; waits up to `maxWaitMs` if there is none. Resolves with the number of unused
   * grants.
   */
  grant(options?: Pick<StartOptions, 'signal'>): Promise<number>;
  /** Uses one grant. Repeated until it is answered, without starting a second session. */
  start(options?: StartOptions): Promise<RolloutSession>;
  reward(sessionId: string, reward: number, interactionId?: string): Promise<void>;
  end(sessionId: string): Promise<number>;
  /**
   * Has a configured model of the proxy score a session that has ended: a reference or a teacher. Repeating a call that
   * failed goes on where it stopped.
   */
  score(sessionId: string, scorer: string, options?: ScoreOptions): Promise<ScoreSessionResponse>;
  /** The completed interactions, in order. */
  interactions(sessionId: string): Promise<readonly SessionInteraction[]>;
  export(sessionId: string, options?: ExportOptions): Promise<ExportResponse>;
  /** The same as a safetensors file, for `load`. */
  exportFile(sessionId: string, options?: ExportOptions): Promise<Uint8Array>;
  /** The rows of the same file, one at a time, for exports that are larger than the memory. */
  exportStream(sessionId: string, options?: ExportOptions): AsyncIterable<LoadedRow>;
  /** The proxy deletes these exports. Idempotent: sessions that are gone are skipped. */
  acknowledge(sessionIds: readonly string[]): Promise<void>;
  readonly versions: { get(): Promise<number>; set(version: number): Promise<void> };
  /** Resolves once nothing is being sampled. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /**
   * Has the engine load weights under a pause of its own, and sets their version. See `updateEngineWeights` for weights
   * that reach the engine another way.
   */
  updateWeights(update: WeightUpdate): Promise<void>;
  /** The LoRA adapters with their versions. */
  adapters(): Promise<readonly AdapterSummary[]>;
  /** The engine unloads all versions of an adapter that no session has, and the proxy forgets it. Idempotent. */
  releaseAdapter(name: string): Promise<void>;
  capacity(): Promise<Capacity>;
  sessions(): Promise<readonly SessionSummary[]>;
  /** Deletes a session with its data. Idempotent. */
  remove(sessionId: string): Promise<void>;
  close(): Promise<void>;
}

export function createRolloutClient(options: RolloutClientOptions): RolloutClient {
  const { adminKey, timeoutMs = 60_000, maxWaitMs = 600_000 } = options;
  const url = options.url.replace(/\/+$/, '');
  const httpClient = options.httpClient ?? createHttpClient();
  const open = (timeoutMs: number): Calls =>
    createApiClient<Paths>({
      baseUrl: url,
      token: () => adminKey,
      timeoutMs,
      timeoutIncludesBody: true,
      // An export is compressed to about half.
      headers: { 'accept-encoding': 'zstd, gzip, deflate' },
      fetch: (request) => sendBy(httpClient, request),
    });
  const calls = open(timeoutMs);
  const remove = (sessionId: string): Promise<void> =>
    unlessGone(calls.DELETE('/rl/sessions/{sessionId}', { params: { path: { sessionId } } }));
  const toSession = (id: string, apiKey: string): RolloutSession =>
    createRolloutSession({ id, apiKey, baseUrl: url, calls, remove });
  const fileRequest = (sessionId: string, exported: ExportOptions) => ({
    body: { ...exported, session_id: sessionId, format: 'safetensors' as const },
  });
  const sessions = async (): Promise<readonly SessionSummary[]> => (await calls.GET('/rl/sessions')).data.sessions;
  return {
    url,
    httpClient,
    grant: ({ signal } = {}) =>
      repeat({ signal, maxWaitMs }, async (call) => (await calls.POST('/grant_capacity', call)).data.capacity),
    start: ({ taskId = '', record, adapter, signal } = {}) =>
      repeat({ signal, maxWaitMs }, async (call) => {
        const body = { task_id: taskId, ...(record && { record }), ...(adapter && { adapter }) };
        const { data } = await calls.POST('/rl/start_session', { ...call, body });
        return toSession(data.session_id, data.session_api_key);
      }),
    reward: (sessionId, reward, interactionId) => toSession(sessionId, '').reward(reward, interactionId),
    end: (sessionId) => toSession(sessionId, '').end(),
    score: async (sessionId, scorer, { topLogprobs = 0, again = false, timeoutMs: scoreMs = 600_000 } = {}) => {
      const body = { session_id: sessionId, scorer, top_logprobs: topLogprobs, again, timeout_seconds: scoreMs / 1000 };
      // The proxy answers when its time is over.
      return (await open(Math.max(timeoutMs, scoreMs + 10_000)).POST('/rl/score_session', { body })).data;
    },
    interactions: (sessionId) => toSession(sessionId, '').interactions(),
    acknowledge: async (sessionIds) => {
      for (const id of sessionIds) await unlessGone(toSession(id, '').acknowledge());
    },
    export: (sessionId, exported) => toSession(sessionId, '').export(exported),
    exportFile: async (sessionId, exported = {}) => {
      const request = { ...fileRequest(sessionId, exported), parseAs: 'arrayBuffer' as const };
      return new Uint8Array((await calls.POST('/export_trajectories', request)).data);
    },
    exportStream: (sessionId, exported = {}) =>
      streamExport(async () => {
        const request = { ...fileRequest(sessionId, exported), parseAs: 'stream' as const };
        return (await open(longestTimeoutMs).POST('/export_trajectories', request)).response;
      }),
    ...weightCalls(calls, open(Math.max(timeoutMs, updateTimeoutMs))),
    adapters: async () => (await calls.GET('/adapters')).data.adapters,
    releaseAdapter: (name) => unlessGone(calls.DELETE('/adapters/{name}', { params: { path: { name } } })),
    capacity: async () => countSessions(await sessions()),
    sessions,
    remove,
    close: () => (options.httpClient === undefined ? httpClient.close() : Promise.resolve()),
  };
}

/** A large checkpoint takes minutes. */
const updateTimeoutMs = 2_100_000;
/** The limit of timers. An export that is larger than the memory may take days. */
const longestTimeoutMs = 2 ** 31 - 1;

type Calls = ApiClient<Paths>;

function weightCalls(
  calls: Calls,
  slowCalls: Calls,
): Pick<RolloutClient, 'versions' | 'pause' | 'resume' | 'updateWeights'> {
  return {
    versions: {
      get: async () => (await calls.GET('/get_version')).data.version,
      set: async (version) => {
        await calls.POST('/set_version', { body: { version } });
      },
    },
    updateWeights: async ({ file, adapter, version, inFlight }) => {
      const body = {
        version,
        ...(file !== undefined && { file }),
        ...(adapter !== undefined && { adapter }),
        ...(inFlight && { in_flight: inFlight }),
      };
      await slowCalls.POST('/update_weights', { body });
    },
    pause: async () => {
      await calls.POST('/pause_generation');
    },
    resume: async () => {
      await calls.POST('/continue_generation');
    },
  };
}

async function sendBy(client: HttpClient, request: Request): Promise<Response> {
  const { url, method, headers, signal } = request;
  return client.fetch(url, {
    method,
    headers,
    signal,
    // undici does not recognise a request of the global `fetch`, and both accept text as a body.
    ...(request.body === null ? {} : { body: await request.text() }),
  });
}

interface CallOptions {
  readonly headers: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

interface RepeatLimits {
  readonly signal: AbortSignal | undefined;
  readonly maxWaitMs: number;
}

/** All attempts share one idempotency key. */
function repeat<Value>(
  { signal, maxWaitMs }: RepeatLimits,
  call: (options: CallOptions) => Promise<Value>,
): Promise<Value> {
  const headers = { 'idempotency-key': randomUUID() };
  return retryUntilAnswered(() => call({ headers, ...(signal && { signal }) }), {
    signal: signal ?? new AbortController().signal,
    maxWaitMs,
  });
}

async function unlessGone(call: Promise<unknown>): Promise<void> {
  try {
    await call;
  } catch (error) {
    if (!isApiError(error) || error.status !== 404) throw error;
  }
}

function countSessions(all: readonly SessionSummary[]): Capacity {
  const unfinished = all.filter(({ state }) => state === 'active' || state === 'ending').length;
  return { unfinished, retained: all.length - unfinished };
}
