import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import type { ExportResponse } from '@weir/rollout-contract';
import OpenAI from 'openai';
import { adminKey, type Answer, type RolloutProxy } from './rollout-proxy';

/** A session with clients of the model protocols that carry its key. */
export interface Episode {
  readonly id: string;
  readonly key: string;
  /** The official SDKs, without retries of their own unless asked for. */
  readonly openai: (options?: { readonly maxRetries?: number; readonly fetch?: typeof fetch }) => OpenAI;
  readonly anthropic: (options?: { readonly maxRetries?: number; readonly fetch?: typeof fetch }) => Anthropic;
  readonly google: (options?: {
    readonly fetch?: typeof fetch;
    readonly headers?: Record<string, string>;
  }) => GoogleGenAI;
  /** One call of the chat protocol. */
  readonly chat: (body: object, headers?: Readonly<Record<string, string>>) => Promise<Answer>;
  readonly reward: (reward: number, interactionId?: string) => Promise<void>;
  /** Interactions that were completed. */
  readonly end: () => Promise<number>;
  readonly exported: (more?: object) => Promise<ExportResponse>;
  readonly exportedFile: (more?: object) => Promise<Uint8Array>;
}

/** Reserves a place and starts a session. */
export async function startEpisode(proxy: RolloutProxy, taskId = 'task'): Promise<Episode> {
  const admin = proxy.createClient();
  await admin.grantCapacity();
  const started = await admin.startSession({ body: { task_id: taskId } });
  return joinEpisode(proxy, started.session_id, started.session_api_key);
}

/** The clients of a session that runs already, at this process. */
export function joinEpisode(proxy: RolloutProxy, id: string, key: string): Episode {
  const own = proxy.createClient(key);
  const exportBody = (more: object) => ({ session_id: id, wait_seconds: 0, ...more });
  return {
    id,
    key,
    openai: (options = {}) => new OpenAI({ baseURL: `${proxy.url}/v1`, apiKey: key, maxRetries: 0, ...options }),
    anthropic: (options = {}) => new Anthropic({ baseURL: proxy.url, apiKey: key, maxRetries: 0, ...options }),
    // Without a `fetch`, the SDK looks for the dispatcher of Node's own, which the globals of a spec need not have.
    google: (options = {}) => new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: proxy.url, fetch, ...options } }),
    chat: (body, headers = {}) =>
      proxy.request('/v1/chat/completions', { key, headers, body: { model: 'any', ...body } }),
    reward: async (reward, interactionId) => {
      await own.setReward({ body: { reward, interaction_id: interactionId ?? null } });
    },
    end: async () => (await own.endSession({ body: {} })).interaction_count,
    exported: (more = {}) => proxy.createClient().exportTrajectories({ body: exportBody(more) }),
    exportedFile: async (more = {}) => {
      const response = await fetch(`${proxy.url}/export_trajectories`, {
        method: 'POST',
        headers: { 'x-api-key': adminKey, 'content-type': 'application/json' },
        body: JSON.stringify(exportBody({ format: 'safetensors', ...more })),
        signal: AbortSignal.timeout(30_000),
      });
      if (!response.ok) throw new Error(`The export was refused with ${response.status}.`);
      return new Uint8Array(await response.arrayBuffer());
    },
  };
}
