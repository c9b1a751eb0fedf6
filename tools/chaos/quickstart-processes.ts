import { readFileSync } from 'node:fs';
import path from 'node:path';
import { spawnProcess, type SpawnedProcess, type TemporaryFolder } from '@weir/test-kit';

const repository = path.resolve(__dirname, '../..');
const example = path.join(repository, 'examples/rl-quickstart');
const program = path.join(repository, 'apps/rollout-proxy/dist/main.js');
const adminKey = 'an-admin-key-for-chaos';
const lifeTimeMs = 60 * 60_000;
const startDeadlineMs = 60_000;

export interface Setting {
  readonly home: TemporaryFolder;
  /** The environment that the example created for itself. */
  readonly python: string;
  readonly port: number;
}

export const files = ({ home }: Setting) => ({
  account: home.file('account.jsonl'),
  notes: home.file('state', 'not-trained.jsonl'),
  steps: home.file('output', 'steps.json'),
});

export async function startProxy({ home, port }: Setting): Promise<SpawnedProcess> {
  const proxy = await spawnProcess({
    command: process.execPath,
    args: [program],
    env: {
      HOME: home.path,
      ROLLOUT_PORT: `${port}`,
      ROLLOUT_ADMIN_KEY: adminKey,
      ROLLOUT_MODEL: home.file('state', 'policy-start.gguf'),
      ROLLOUT_DATA_DIR: home.file('data'),
    },
    deadlineMs: lifeTimeMs,
  });
  await proxy.waitForOutput(/^Rollout proxy: \S+/m, startDeadlineMs);
  return proxy;
}

export function startTrainer(setting: Setting, ...args: readonly string[]): Promise<SpawnedProcess> {
  const { home, python, port } = setting;
  const folders = ['--state', home.file('state'), '--output', home.file('output')];
  const proxy = ['--proxy', `http://127.0.0.1:${port}`, '--agent', 'quickstart_agent:CountingAgent'];
  return spawnProcess({
    command: python,
    args: [path.join(example, 'train.py'), ...folders, ...proxy, ...args],
    env: {
      HOME: home.path,
      PYTHONPATH: `${example}:${__dirname}`,
      PYTHONDONTWRITEBYTECODE: '1',
      ROLLOUT_ADMIN_KEY: adminKey,
      WEIR_CHAOS_ACCOUNT: files(setting).account,
    },
    deadlineMs: lifeTimeMs,
  });
}

/** The processes that hold the model: two while new weights are loaded. */
export function enginesOf({ pid }: SpawnedProcess): readonly number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean);
  return children
    .map(Number)
    .filter((child) => readFileSync(`/proc/${child}/cmdline`, 'utf8').includes('embedded-host'));
}

export async function countSessions({ port }: Setting): Promise<number> {
  const headers = { authorization: `Bearer ${adminKey}` };
  const response = await fetch(`http://127.0.0.1:${port}/rl/sessions`, { headers });
  const { sessions } = (await response.json()) as { readonly sessions: readonly unknown[] };
  return sessions.length;
}
