import { openConnection, requestBytes, type RawConnection, type RawRequest } from './rollout-client';
import { adminKey } from './rollout-servers';

export interface Started {
  readonly id: string;
  readonly key: string;
}

/** Calls of the trainer over one connection. */
export interface Trainer {
  start(): Promise<Started>;
  call(key: string, messages: readonly ChatMessage[]): Promise<ChatAnswer>;
  end(key: string): Promise<void>;
  /** The bytes of the answer, compressed as the SDK's client asks for them. */
  export(id: string, format: 'json' | 'safetensors'): Promise<Buffer>;
  acknowledge(id: string): Promise<void>;
  close(): void;
}

export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

export interface ChatAnswer {
  readonly content: string;
  readonly promptTokens: number;
}

export const chatPath = '/v1/chat/completions';

export const chatBody = (messages: readonly ChatMessage[]): string =>
  JSON.stringify({ model: 'bench', messages, max_tokens: 64, temperature: 1 });

export async function openTrainer(port: number): Promise<Trainer> {
  let connection = await openConnection(port);
  const send = async (path: string, body: string, key: string, headers = {}): Promise<Buffer> => {
    if (!connection.isOpen) connection = await openConnection(port);
    return posted(connection, { path, body, key, headers });
  };
  const post = (path: string, body: unknown, key = adminKey): Promise<Buffer> => send(path, JSON.stringify(body), key);
  return {
    start: async () => {
      await post('/grant_capacity', {});
      const answer = parsed(await post('/rl/start_session', { task_id: 'bench' }));
      return { id: String(answer.session_id), key: String(answer.api_key) };
    },
    call: async (key, messages) => {
      const answer = parsed(await send(chatPath, chatBody(messages), key)) as unknown as ChatCompletion;
      return { content: answer.choices[0]?.message.content ?? '', promptTokens: answer.usage.prompt_tokens };
    },
    end: async (key) => {
      await post('/rl/end_session', {}, key);
    },
    export: (id, format) => {
      const body = JSON.stringify({ session_id: id, style: 'individual', format });
      return send('/export_trajectories', body, adminKey, { 'accept-encoding': 'zstd' });
    },
    acknowledge: async (id) => {
      await post('/rl/acknowledge_export', { session_id: id });
    },
    close: () => connection.close(),
  };
}

interface ChatCompletion {
  readonly choices: readonly { readonly message: { readonly content: string } }[];
  readonly usage: { readonly prompt_tokens: number };
}

async function posted(connection: RawConnection, request: RawRequest): Promise<Buffer> {
  const { status, body: answer } = await connection.send(requestBytes(request));
  if (status < 200 || status > 299) throw new Error(`${request.path}: ${status} ${answer.toString('utf8', 0, 500)}`);
  return answer;
}

const parsed = (bytes: Buffer) => JSON.parse(bytes.toString()) as Readonly<Record<string, unknown>>;

/** Ends a session and takes all of it away. */
export async function finish(trainer: Trainer, { id, key }: Started): Promise<void> {
  await trainer.end(key);
  await trainer.export(id, 'safetensors');
  await trainer.acknowledge(id);
}

const mark = '00000000';

let lastNumber = 0;

/** Bytes of one request that differs from every other in a number of its first message. */
export function countedRequests(
  key: string,
  messages: readonly ChatMessage[],
  headers: Readonly<Record<string, string>> = {},
): () => Buffer {
  const bytes = requestBytes({ path: chatPath, key, body: chatBody(messages), headers });
  const at = bytes.indexOf(mark);
  return () => {
    lastNumber += 1;
    bytes.write(String(lastNumber).padStart(mark.length, '0'), at, 'latin1');
    return bytes;
  };
}

/** A conversation of one question; its number comes first, so that no part of it was ever encoded before. */
export const question = (text: string): readonly ChatMessage[] => [{ role: 'user', content: `${mark} ${text}` }];
