import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isAppError, type AppError } from '@weir/foundation';
import type { FakeCloud } from '@weir/fake-cloud';
import { temporaryFolder } from '@weir/test-kit';
import { runPost } from '../../post/run-post';
import { run, type RunOptions } from '../../run/run';
import type { ActionsRuntime } from '../../runner/actions-runtime';
import { giveInputs, type Inputs } from '../../testing/manifest';

export type { Inputs };

export interface InProcessRun {
  /** `undefined` on success. */
  readonly error: AppError | undefined;
  readonly outputs: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string>>;
  /** The state for post; the last value of each name. */
  readonly state: Readonly<Record<string, string>>;
  /** Every log line with its level: `warning …`. */
  readonly lines: readonly string[];
  readonly masked: readonly string[];
  readonly summary: string;
  /** Names and contents of the credentials files at the end. */
  readonly files: readonly { readonly name: string; readonly text: string }[];
  readonly workspace: string;
}

export interface InProcessOptions {
  readonly inputs: Inputs;
  readonly env?: ActionsRuntime['env'];
  /** Prepares the workspace, for example with a checkout. */
  readonly prepare?: (workspace: string) => void;
  /** Looks at the workspace at the end. */
  readonly inspect?: (workspace: string) => void;
  /** Overrides of the recording runtime. */
  readonly runtime?: Partial<ActionsRuntime>;
  readonly runOptions?: Partial<RunOptions>;
}

/** Runs the main step in this process against the fake cloud, with a temporary workspace and a clock that sleeps advance. */
export async function runInProcess(fake: FakeCloud, options: InProcessOptions): Promise<InProcessRun> {
  const folder = temporaryFolder('weir-auth-');
  const workspace = folder.file('workspace');
  mkdirSync(workspace);
  options.prepare?.(workspace);
  const recording = createRecordingRuntime(options, { ...fake.env, GITHUB_WORKSPACE: workspace, ...options.env });
  let waited = 0;
  const now = () => Date.now() + waited;
  const runOptions: RunOptions = {
    version: '0.0.0',
    now,
    sleep: (milliseconds) => {
      waited += milliseconds;
      return Promise.resolve();
    },
    random: () => 0.5,
    randomBytes: (bytes) => new Uint8Array(bytes).fill(0xa5),
    startRefresher: () => Promise.resolve(),
    ...options.runOptions,
  };
  try {
    const error = await catchAppError(run({ ...recording.runtime, ...options.runtime }, runOptions));
    const names = readdirSync(workspace).filter((name) => name.startsWith('gha-creds-'));
    options.inspect?.(workspace);
    const files = names.map((name) => ({ name, text: readFileSync(path.join(workspace, name), 'utf8') }));
    return { ...recording.seen(), error, files, workspace };
  } finally {
    await folder.remove();
  }
}

/** Runs the post step with the state of a main step, and returns what it writes. */
export async function postAfter({ state }: Pick<InProcessRun, 'state'>, env: ActionsRuntime['env'] = {}) {
  let written = '';
  const saved = Object.fromEntries(Object.entries(state).map(([name, value]) => [`STATE_${name}`, value]));
  await runPost({ env: { ...env, ...saved }, write: (text) => (written += text), revocationTimeoutMs: 1 });
  return written;
}

/** Inputs for federation with the account of the job. */
export function federated(fake: FakeCloud, inputs: Inputs = {}): Inputs {
  return {
    ...atLoopback(fake),
    workload_identity_provider: fake.provider,
    service_account: fake.account.email,
    ...inputs,
  };
}

export function byKey(fake: FakeCloud, inputs: Inputs = {}): Inputs {
  return { ...atLoopback(fake), credentials_json: JSON.stringify(fake.serviceAccountKey()), ...inputs };
}

export function direct(fake: FakeCloud, inputs: Inputs = {}): Inputs {
  return { ...atLoopback(fake), workload_identity_provider: fake.provider, ...inputs };
}

export function atLoopback({ bases }: FakeCloud): Inputs {
  return { sts_endpoint: bases.sts, iam_credentials_endpoint: bases.iamcredentials, oauth2_endpoint: bases.oauth2 };
}

async function catchAppError(ended: Promise<void>): Promise<AppError | undefined> {
  try {
    await ended;
    return undefined;
  } catch (error) {
    if (isAppError(error)) return error;
    throw error;
  }
}

function createRecordingRuntime({ inputs }: InProcessOptions, env: ActionsRuntime['env']) {
  const [outputs, exported, state] = [new Map<string, string>(), new Map<string, string>(), new Map<string, string>()];
  const [lines, masked, summaries]: readonly [string[], string[], string[]] = [[], [], []];
  const line = (level: string) => (text: string) => void lines.push(`${level} ${text}`);
  const runtime: ActionsRuntime = {
    ...giveInputs(inputs),
    env,
    debug: line('debug'),
    info: line('info'),
    notice: line('notice'),
    warning: line('warning'),
    mask: (secret) => void masked.push(secret),
    setOutput: (name, value) => void outputs.set(name, value),
    exportVariable: (name, value) => void exported.set(name, value),
    saveState: (name, value) => void state.set(name, value),
    writeSummary: (markdown) => void summaries.push(markdown),
  };
  const seen = () => ({
    outputs: Object.fromEntries(outputs),
    env: Object.fromEntries(exported),
    state: Object.fromEntries(state),
    lines,
    masked,
    summary: summaries.join(''),
  });
  return { runtime, seen };
}
