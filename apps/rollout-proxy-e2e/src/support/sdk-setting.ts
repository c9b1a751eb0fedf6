import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  createRollout,
  createRolloutClient,
  type Rollout,
  type RolloutClient,
  type RolloutOptions,
} from '@weir/rollout-sdk';
import { temporaryFolder } from '@weir/test-kit';
import { build } from 'esbuild';
import { startFakeSetting, type FakeSetting } from './fake-setting';
import { adminKey } from './rollout-proxy';

export interface ScriptedAgent {
  readonly calls: number;
  readonly then: Readonly<Record<string, unknown>>;
}

interface ExpectedEpisode {
  readonly status: string;
  readonly reason: string | null;
}

export interface EpisodeCase {
  readonly name: string;
  readonly modes: readonly string[];
  readonly agent: ScriptedAgent;
  readonly data?: 'unserializable';
  readonly timeout_seconds?: number;
  readonly expected: ExpectedEpisode & { readonly rewards: readonly (number | null)[] | null };
}

export interface GroupCase {
  readonly name: string;
  readonly modes: readonly string[];
  readonly filter: 'zero_variance' | null;
  readonly members: readonly { readonly agent: ScriptedAgent }[];
  readonly expected: ExpectedEpisode & { readonly members: readonly ExpectedEpisode[] };
}

export interface TrainingCase {
  readonly name: string;
  readonly killed_after: 'exported' | 'begun' | 'saved' | 'acknowledged';
  readonly expected: { readonly delivered: number; readonly trained: number; readonly at_proxy: number };
}

export interface CaseTable {
  readonly default_timeout_seconds: number;
  readonly episodes: readonly EpisodeCase[];
  readonly groups: readonly GroupCase[];
  readonly trainings: readonly TrainingCase[];
}

export function readCases(): CaseTable {
  const file = path.resolve(__dirname, '../../../../packages/rollout-contract/cases/episodes.json');
  return JSON.parse(readFileSync(file, 'utf8')) as CaseTable;
}

export const agentPath = `${path.join(__dirname, '__fixtures__/scripted-agent.cjs')}#ScriptedAgent`;

/** The trainer's package before the built proxy and an engine that always says the same. */
export interface SdkSetting {
  readonly fake: FakeSetting;
  readonly client: RolloutClient;
  /** Default: the client of the setting. */
  readonly createRollout: (options: Omit<RolloutOptions, 'client' | 'workerFile'>, client?: RolloutClient) => Rollout;
  readonly stop: () => Promise<void>;
}

export async function startSdkSetting(env: Readonly<Record<string, string>> = {}): Promise<SdkSetting> {
  const folder = temporaryFolder('weir-sdk-');
  const workerFile = folder.file('worker-main.js');
  const [fake] = await Promise.all([startFakeSetting('sglang', { env }), bundleWorker(workerFile)]);
  fake.answers('Done.');
  const client = createRolloutClient({ url: fake.proxy.url, adminKey });
  return {
    fake,
    client,
    createRollout: (options, other = client) => createRollout({ ...options, client: other, workerFile }),
    stop: async () => {
      await client.close();
      await fake.stop();
      await folder.remove();
    },
  };
}

/** Jest has no `import()` of its own. */
export const importModule = (url: string) =>
  // oxlint-disable-next-line typescript/no-require-imports -- the same module, loaded as Jest can
  Promise.resolve(require(fileURLToPath(url)) as Readonly<Record<string, unknown>>);

async function bundleWorker(outfile: string): Promise<void> {
  await build({
    entryPoints: [path.resolve(__dirname, '../../../../packages/rollout-sdk/src/subproc/worker-main.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    supported: { 'dynamic-import': true },
    conditions: ['@weir/source'],
  });
}
