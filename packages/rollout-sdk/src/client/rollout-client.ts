import { randomUUID } from 'node:crypto';
import { ApiError, createClient, isApiError, type CallOptions, type Client } from '@weir/http-contract';
import {
  rolloutContract,
  type ExportResponse,
  type SessionSummary,
  type UpdateWeightsRequest,
} from '@weir/rollout-contract';
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
  /** Of the proxy, without `/v1`: `http://127.0.0.1:8090`. */
  readonly url: string;
  readonly adminKey: string;
  /** Default: one of its own, which `close` closes. */
  readonly httpClient?: HttpClient;
  /** For one call, answer included. Default 60 s. */
  readonly timeoutMs?: number;
  /** How long a grant and a start wait for capacity, or for a proxy that does not answer. Default 10 min. */
  readonly maxWaitMs?: number;
}

export interface StartOptions {
  /** Beginning of the session's id. Default: empty. */
  readonly taskId?: string;
  /** Ends the wait for capacity. */
  readonly signal?: AbortSignal;
}

export interface WeightUpdate {
  /**
   * Embedded engine: a GGUF file on the machine of the proxy, which is copied. SGLang and vLLM: a folder on the machine of
   * the engine, or the name of a model. Omitted: the trainer has loaded the weights itself.
   */
  readonly file?: string;
  /** Above the current one. */
  readonly version: number;
  /** What happens to generations that run. Default `continue`: on the new weights, each token with its version. */
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
  /** Reserves capacity for one session; waits while there is none, up to `maxWaitMs`. Resolves with the number of unused grants. */
  grant(options?: Pick<StartOptions, 'signal'>): Promise<number>;
  /** Uses one grant. Repeated until it is answered, without starting a second session. */
  start(options?: StartOptions): Promise<RolloutSession>;
  reward(sessionId: string, reward: number, interactionId?: string): Promise<void>;
  end(sessionId: string): Promise<number>;
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
  const { fetch } = httpClient;
  const open = (timeoutMs: number): Calls =>
    createClient(rolloutContract, { baseUrl: url, fetch, token: () => adminKey, timeoutMs });
  const calls = open(timeoutMs);
  const remove = (sessionId: string): Promise<void> => unlessGone(calls.deleteSession({ params: { sessionId } }));
  const toSession = (id: string, apiKey: string): RolloutSession =>
    createRolloutSession({ id, apiKey, baseUrl: url, calls, remove });
  const requestFile = async (sessionId: string, exported: ExportOptions, signal?: AbortSignal): Promise<Response> => {
    const response = await fetch(`${url}/export_trajectories`, {
      method: 'POST',
      headers: { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...exported, session_id: sessionId, format: 'safetensors' }),
      ...(signal && { signal }),
    });
    if (!response.ok) throw ApiError.fromResponse(response, await response.text());
    return response;
  };
  const sessions = async (): Promise<readonly SessionSummary[]> => (await calls.listSessions()).sessions;
  return {
    url,
    httpClient,
    grant: ({ signal } = {}) =>
      repeat({ signal, maxWaitMs }, async (call) => (await calls.grantCapacity({}, call)).capacity),
    start: ({ taskId = '', signal } = {}) =>
      repeat({ signal, maxWaitMs }, async (call) => {
        const started = await calls.startSession({ body: { task_id: taskId } }, call);
        return toSession(started.session_id, started.session_api_key);
      }),
    reward: (sessionId, reward, interactionId) => toSession(sessionId, '').reward(reward, interactionId),
    end: (sessionId) => toSession(sessionId, '').end(),
    interactions: (sessionId) => toSession(sessionId, '').interactions(),
    acknowledge: async (sessionIds) => {
      for (const id of sessionIds) await unlessGone(toSession(id, '').acknowledge());
    },
    export: (sessionId, exported) => toSession(sessionId, '').export(exported),
    exportFile: async (sessionId, exported = {}) => {
      const response = await requestFile(sessionId, exported, AbortSignal.timeout(timeoutMs));
      return new Uint8Array(await response.arrayBuffer());
    },
    exportStream: (sessionId, exported = {}) => streamExport(() => requestFile(sessionId, exported)),
    ...weightCalls(calls, open(Math.max(timeoutMs, updateTimeoutMs))),
    capacity: async () => countSessions(await sessions()),
    sessions,
    remove,
    close: () => (options.httpClient === undefined ? httpClient.close() : Promise.resolve()),
  };
}

/** A large checkpoint takes minutes. */
const updateTimeoutMs = 2_100_000;

type Calls = Client<typeof rolloutContract>;

function weightCalls(
  calls: Calls,
  slowCalls: Calls,
): Pick<RolloutClient, 'versions' | 'pause' | 'resume' | 'updateWeights'> {
  return {
    versions: {
      get: async () => (await calls.getVersion()).version,
      set: async (version) => {
        await calls.setVersion({ body: { version } });
      },
    },
    updateWeights: async ({ file, version, inFlight }) => {
      const body = { version, ...(file !== undefined && { file }), ...(inFlight && { in_flight: inFlight }) };
      await slowCalls.updateWeights({ body });
    },
    pause: async () => {
      await calls.pauseGeneration();
    },
    resume: async () => {
      await calls.continueGeneration();
    },
  };
}

interface RepeatLimits {
  readonly signal: AbortSignal | undefined;
  readonly maxWaitMs: number;
}

/** With one idempotency key for all attempts. */
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
