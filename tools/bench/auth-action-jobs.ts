import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { FakeCloud } from '@weir/fake-cloud';

export interface StartCase {
  readonly name: string;
  /** The bundle, or `undefined` for a bare process of Node. */
  readonly bundle: string | undefined;
  readonly inputs: Readonly<Record<string, string>>;
  readonly exitCode: number;
  /** The time above that of the bare process. */
  readonly targetMs?: number;
}

/** Lists every case of one bundle; the first is the bare process. The jobs get their tokens from the fake cloud. */
export function listStartCases(fake: FakeCloud): readonly StartCase[] {
  const { bases, provider, account } = fake;
  const endpoints = {
    sts_endpoint: bases.sts,
    iam_credentials_endpoint: bases.iamcredentials,
    oauth2_endpoint: bases.oauth2,
  };
  const key = { ...endpoints, credentials_json: JSON.stringify(fake.serviceAccountKey()) };
  const direct = { ...endpoints, workload_identity_provider: provider };
  const federated = { ...direct, service_account: account.email };
  const accessToken = { token_format: 'access_token' };
  const badProvider = 'projects/my-project/locations/global/workloadIdentityPools/pool';
  const main = { bundle: 'main.js', exitCode: 0 };
  return [
    { name: 'node -e 0', bundle: undefined, inputs: {}, exitCode: 0 },
    { name: 'post, nothing to do', bundle: 'post.js', inputs: {}, exitCode: 0, targetMs: 10 },
    {
      name: 'main, bad inputs',
      bundle: 'main.js',
      inputs: { workload_identity_provider: badProvider, service_account: account.email },
      exitCode: 1,
      targetMs: 60,
    },
    { ...main, name: 'main, key', inputs: key },
    { ...main, name: 'main, key and access token', inputs: { ...key, ...accessToken } },
    { ...main, name: 'main, federation', inputs: federated },
    { ...main, name: 'main, federation and access token', inputs: { ...federated, ...accessToken } },
    { ...main, name: 'main, direct federation', inputs: direct },
  ];
}

// Loaded before each of the programs, the bare one too, so that it does not tell them apart.
const probe = `process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  require('node:fs').writeFileSync(process.env.BENCH_RESULT, String(user + system));
});`;

export interface StartOptions {
  readonly node: string;
  readonly dist: string;
  readonly folder: string;
  readonly fake: FakeCloud;
}

/** Processor time in milliseconds (user and system) of one cold start, with every thread of it. */
export async function measureStart(
  { name, bundle, inputs, exitCode }: StartCase,
  { node, dist, folder, fake }: StartOptions,
): Promise<number> {
  rmSync(folder, { recursive: true, force: true });
  const workspace = path.join(folder, 'workspace');
  const at = (file: string): string => path.join(folder, file);
  mkdirSync(path.join(workspace, '.git/info'), { recursive: true });
  writeFileSync(path.join(workspace, '.git/HEAD'), 'ref: refs/heads/main\n');
  for (const file of ['env', 'output', 'state', 'summary']) writeFileSync(at(file), '');
  writeFileSync(at('probe.cjs'), probe);
  const env = {
    ...fake.env,
    BENCH_RESULT: at('cpu'),
    GITHUB_WORKSPACE: workspace,
    GITHUB_ENV: at('env'),
    GITHUB_OUTPUT: at('output'),
    GITHUB_STATE: at('state'),
    GITHUB_STEP_SUMMARY: at('summary'),
    RUNNER_TEMP: folder,
    ...Object.fromEntries(Object.entries(inputs).map(([input, value]) => [`INPUT_${input.toUpperCase()}`, value])),
  };
  const program = bundle === undefined ? ['-e', '0'] : [path.join(dist, bundle)];
  const child = spawn(node, ['--require', at('probe.cjs'), ...program], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const printed: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => printed.push(chunk.toString()));
  const [status] = (await once(child, 'close')) as [number | null];
  if (status !== exitCode) throw new Error(`${name} ended with ${String(status)}:\n${printed.join('')}`);
  return Number(readFileSync(at('cpu'), 'utf8')) / 1000;
}
