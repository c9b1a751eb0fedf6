import path from 'node:path';
import { spawnProcess, temporaryFolder, waitFor } from '@weir/test-kit';

const program = path.resolve(__dirname, '../../../rollout-proxy/dist/main.js');
const adminKey = 'an-admin-key-for-black-box-specs';

export interface RecordingProxy {
  /** What a client of OpenAI is configured with. */
  readonly baseUrl: string;
  /** Of a session of the trainer. */
  readonly sessionKey: string;
  /** Ends the session; returns how many model calls it has recorded. */
  readonly countRecorded: () => Promise<number>;
  readonly stop: () => Promise<void>;
}

/** The built rollout proxy with its embedded engine and tiny model, and a session of it. */
export async function startRecordingProxy(): Promise<RecordingProxy> {
  const home = temporaryFolder('weir-rollout-');
  const env = { HOME: home.path, ROLLOUT_PORT: '0', ROLLOUT_ADMIN_KEY: adminKey, ROLLOUT_DATA_DIR: home.file('data') };
  const server = await spawnProcess({ command: process.execPath, args: [program], env, deadlineMs: 300_000 });
  const url = await waitFor(() => /^Rollout proxy: (\S+)/m.exec(server.stdout()), {
    deadlineMs: 60_000,
    what: 'the proxy to come up',
  });
  const base = url[1] ?? '';
  const post = async (address: string, key: string, body: object): Promise<Record<string, unknown>> => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const response = await fetch(`${base}${address}`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${address} was answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as Record<string, unknown>;
  };
  await waitFor(async () => (await fetch(`${base}/ready`).catch(() => undefined))?.ok === true, {
    deadlineMs: 60_000,
    what: 'the model to be loaded',
  });
  await post('/grant_capacity', adminKey, {});
  const started = await post('/rl/start_session', adminKey, { task_id: 'agent' });
  const sessionKey = String(started.session_api_key);
  return {
    baseUrl: `${base}/v1`,
    sessionKey,
    countRecorded: async () => Number((await post('/rl/end_session', sessionKey, {})).interaction_count),
    stop: async () => {
      await server.stop({ signal: 'SIGTERM' });
      await home.remove();
    },
  };
}
