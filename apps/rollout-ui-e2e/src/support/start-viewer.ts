import path from 'node:path';
import {
  byteTokenizerFolder,
  encode,
  endId,
  startFakeEngine,
  toByteIds,
  vocabularySize,
  type FakeAnswer,
  type FakeEngine,
} from '@weir/fake-engine';
import { spawnProcess, temporaryFolder, waitFor, type SpawnedProcess } from '@weir/test-kit';

const program = path.resolve(__dirname, '../../../rollout-proxy/dist/main.js');
export const adminKey = 'an-admin-key-for-the-viewer';
export const readKey = 'a-read-only-key-for-the-viewer';

/** The built proxy with its viewer, before an engine that each case controls. */
export interface Viewer {
  /** The URL of the proxy, without a trailing slash. */
  readonly url: string;
  readonly process: SpawnedProcess;
  readonly engine: FakeEngine;
  /** Sets all later answers of the engine; the last token ends the answer. */
  readonly say: (text: string, more?: Omit<FakeAnswer, 'ids'>) => void;
  /** Calls an operation, with the admin key unless another one is given, and returns its body. */
  readonly call: (address: string, body?: unknown, key?: string) => Promise<Record<string, unknown>>;
  readonly stop: () => Promise<void>;
}

export async function startViewer(env: Readonly<Record<string, string>> = {}): Promise<Viewer> {
  const home = temporaryFolder('weir-viewer-');
  const tokenizer = byteTokenizerFolder();
  const engine = await startFakeEngine({ dialect: 'sglang', encode, vocabularySize, contextLength: 400_000 });
  const process = await spawnProcess({
    command: globalThis.process.execPath,
    args: [program],
    env: {
      HOME: home.path,
      ROLLOUT_PORT: '0',
      ROLLOUT_ADMIN_KEY: adminKey,
      ROLLOUT_READ_KEY: readKey,
      ROLLOUT_DATA_DIR: home.file('data'),
      ROLLOUT_END_WAIT_SECONDS: '1',
      ROLLOUT_MAX_TURN_TOKENS: '200000',
      ROLLOUT_ENGINE: 'sglang',
      ROLLOUT_ENGINE_URLS: engine.url,
      ROLLOUT_TOKENIZER: tokenizer.path,
      ROLLOUT_SCORERS: `teacher=sglang@${engine.url}`,
      ...env,
    },
  });
  const [, url = ''] = await waitFor(() => /^Rollout proxy: (\S+)/m.exec(process.stdout()) ?? undefined, {
    deadlineMs: 60_000,
    what: 'the proxy to come up',
  });
  await waitFor(async () => (await fetch(`${url}/ready`)).ok, { deadlineMs: 60_000, what: 'the proxy to be ready' });
  return {
    url,
    process,
    engine,
    say: (text, more = {}) =>
      engine.setScript(() => ({ ids: [...toByteIds(text), endId], finishReason: 'stop', ...more })),
    call: (address, body, key = adminKey) => call(`${url}${address}`, body, key),
    stop: async () => {
      await process.stop({ signal: 'SIGKILL' });
      await engine.stop();
      await Promise.all([home.remove(), tokenizer.remove()]);
    },
  };
}

async function call(address: string, body: unknown, key: string): Promise<Record<string, unknown>> {
  const answer = await fetch(address, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${address} was answered ${answer.status}: ${text}`);
  return JSON.parse(text) as Record<string, unknown>;
}
