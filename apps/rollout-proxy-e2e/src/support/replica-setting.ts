import { startFakeEngine, type FakeEngine, type FakeEngineRequest } from '@weir/fake-engine';
import type { ExportResponse } from '@weir/rollout-contract';
import { startPostgres } from '@weir/test-kit';
import { Client } from 'pg';
import { byteTokenizerFolder, encode, endId, toByteIds, vocabularySize } from './byte-tokenizer';
import type { Episode } from './episode';
import { readJsonRows } from './exported-rows';
import { startRolloutProxy, type RolloutProxy } from './rollout-proxy';

/** How long sessions of a killed replica still belong to it. */
export const leaseSeconds = 2;

/** Several built proxies on one PostgreSQL, before one engine. */
export interface ReplicaSetting {
  readonly engine: FakeEngine;
  /** The replicas that were started with the setting. */
  readonly replicas: readonly RolloutProxy[];
  /** Starts one more. */
  readonly join: (env?: Readonly<Record<string, string>>) => Promise<RolloutProxy>;
  readonly query: (statement: string, values?: readonly unknown[]) => Promise<readonly Record<string, unknown>[]>;
  /** Makes every later answer wait, a streamed one after some tokens, until the engine releases it. */
  readonly holdAnswers: () => void;
  /** Ends that. */
  readonly answer: () => void;
  /** The address of the replica that owns a session; `undefined` while it has no owner. */
  readonly ownerOf: (sessionId: string) => Promise<string | undefined>;
  readonly stop: () => Promise<void>;
}

export async function startReplicaSetting(
  count: number,
  env: Readonly<Record<string, string>> = {},
): Promise<ReplicaSetting> {
  const postgres = await startPostgres();
  const { url } = await postgres.createDatabase();
  const tokenizer = byteTokenizerFolder();
  const engine = await startFakeEngine({ dialect: 'sglang', encode, vocabularySize });
  engine.setScript(answerByPrompt);
  const client = new Client({ connectionString: url });
  await client.connect();
  const started: RolloutProxy[] = [];
  const stop: ReplicaSetting['stop'] = async () => {
    await Promise.all(started.map((proxy) => proxy.dispose()));
    await client.end();
    await engine.stop();
    await tokenizer.remove();
    await postgres.stop();
  };
  const join: ReplicaSetting['join'] = async (more = {}) => {
    const proxy = await startRolloutProxy({
      env: {
        ROLLOUT_ENGINE: 'sglang',
        ROLLOUT_ENGINE_URLS: engine.url,
        ROLLOUT_TOKENIZER: tokenizer.path,
        ROLLOUT_DATABASE_URL: url,
        ROLLOUT_LEASE_SECONDS: String(leaseSeconds),
        ...env,
        ...more,
      },
    });
    started.push(proxy);
    return proxy;
  };
  const query: ReplicaSetting['query'] = async (statement, values = []) =>
    (await client.query<Record<string, unknown>>(statement, [...values])).rows;
  try {
    for (let index = 0; index < count; index += 1) await join();
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    engine,
    replicas: [...started],
    join,
    query,
    holdAnswers: () =>
      engine.setScript((request) => ({
        ...answerByPrompt(request),
        faults: request.isStreaming ? { holdAfterTokens: 3 } : { isHeld: true },
      })),
    answer: () => engine.setScript(answerByPrompt),
    ownerOf: async (sessionId) => {
      const [row] = await query(
        `SELECT address FROM weir_rollout.session JOIN weir_rollout.replica ON session.owner = replica.number
         WHERE session.id = $1`,
        [sessionId],
      );
      return row === undefined ? undefined : String(row.address);
    },
    stop,
  };
}

/**
 * The same prompt gets the same tokens and log-probabilities. No text encodes to 200 alone: encoding it again gives
 * others.
 */
export function answerByPrompt({ promptIds, maxNewTokens }: Pick<FakeEngineRequest, 'promptIds' | 'maxNewTokens'>) {
  const whole = [...toByteIds(`answer to ${promptIds.length} `), 200, ...toByteIds(' end'), endId];
  const ids = whole.slice(0, maxNewTokens);
  return { ids, logprobs: ids.map((id, at) => -((id + at) % 17) / 16) };
}

interface ChatMessage {
  readonly role: string;
  readonly content: string;
}

/** One conversation, which may go on at another replica. */
export interface Conversation {
  readonly messages: readonly ChatMessage[];
  /** Asks a question and returns the id of the interaction. Throws if there is no answer. */
  ask(episode: Episode): Promise<string>;
}

export function createConversation(): Conversation {
  const messages: ChatMessage[] = [];
  return {
    messages,
    ask: async (episode) => {
      const next = [...messages, { role: 'user', content: `question ${messages.length}` }];
      const { status, body, text } = await episode.chat({ messages: next });
      const message = (body.choices as { message: ChatMessage }[] | undefined)?.[0]?.message;
      if (status !== 200 || message === undefined) throw new Error(`The call was answered with ${status}: ${text}`);
      messages.splice(0, messages.length, ...next, message);
      return String(body.id);
    },
  };
}

/** The rows that a trainer trains, without the ids of calls, which are random. */
export function trainedRows(exported: ExportResponse) {
  return {
    tensors: Object.values(exported.interactions).map(({ tensor_dict }) => tensor_dict),
    rows: readJsonRows(exported).map(({ ids, mask, logprobs, versions, reward }) => {
      return { ids, mask, logprobs: [...logprobs], versions, reward };
    }),
  };
}
