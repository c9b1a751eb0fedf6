import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  findLeaks,
  findNode,
  runSteps,
  type InspectStep,
  type JobView,
  type Leak,
  type LeftoverFile,
  type RunnerResult,
  type RunnerStep,
  type RunStepsOptions,
} from '@weir/actions-runner';
import { startFakeCloud, type FakeCloud, type FakeCloudOptions, type FakeRequest } from '@weir/fake-cloud';
import { temporaryFolder } from '@weir/test-kit';
import type { Inputs } from './run-in-process';

/** The folder with `action.yml` and the bundles that users run. */
export const action = path.resolve(__dirname, '../../..');

export interface Job {
  readonly cloud?: FakeCloudOptions;
  /** The inputs of one auth step, or a list for several steps. */
  readonly with: (fake: FakeCloud) => Inputs | readonly Inputs[];
  /** Steps after the auth steps. */
  readonly steps?: readonly RunnerStep[];
  readonly prepare?: (workspace: string) => void;
  /** Starts a proxy or the like, and returns variables for the job. */
  readonly around?: (fake: FakeCloud) => Promise<Readonly<Record<string, string>>>;
  /** `id-token: write`; default true. */
  readonly permission?: boolean;
  readonly runner?: Partial<Pick<RunStepsOptions, 'node' | 'env' | 'event' | 'debug' | 'secrets'>>;
}

export interface JobEnd extends RunnerResult {
  readonly fake: FakeCloud;
  readonly requests: readonly FakeRequest[];
  readonly workspace: string;
  /** The job after the last auth step. */
  readonly seen: JobView | undefined;
  /** Unintended leaks of any secret. */
  readonly leaked: readonly Leak[];
  /** Outputs of the first auth step. */
  readonly outputs: Readonly<Record<string, string>>;
  /** Error annotations of all steps. */
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
}

/** Runs main and post of the shipped bundle like the runner, after a checkout. */
export async function runJob(job: Job): Promise<JobEnd> {
  const fake = await startFakeCloud(job.cloud);
  const folder = temporaryFolder('weir-job-');
  const workspace = folder.file('workspace');
  mkdirSync(workspace);
  (job.prepare ?? checkOut)(workspace);
  let seen: JobView | undefined;
  const look: InspectStep = { if: 'always()', inspect: (view) => void (seen = view) };
  const given = [job.with(fake)].flat();
  const url = fake.env.ACTIONS_ID_TOKEN_REQUEST_URL;
  const token = fake.env.ACTIONS_ID_TOKEN_REQUEST_TOKEN;
  try {
    const jobEnv = { ...job.runner?.env, ...(await job.around?.(fake)) };
    const result = await runSteps({
      workspace,
      node: process.execPath,
      // Secrets of the repository and of the runner.
      secrets: [token, ...given.flatMap(({ credentials_json: key }) => (key === undefined ? [] : [key]))],
      ...(job.permission !== false && { idToken: { url, token } }),
      ...job.runner,
      env: jobEnv,
      steps: [...given.map((inputs, index) => authStep(inputs, index)), look, ...(job.steps ?? [])],
    });
    const leftovers = result.leftovers.filter((file) => !isAsCheckedOut(file));
    const leaked = findUnintendedLeaks(
      result,
      fake,
      given.some(({ revoke_access_token: revokesToken }) => revokesToken === 'true'),
    );
    return { ...result, ...readAnnotations(result), leftovers, fake, requests: fake.requests, workspace, seen, leaked };
  } finally {
    await fake.stop();
    await folder.remove();
  }
}

function authStep(inputs: Inputs, index: number): RunnerStep {
  return { id: `auth${index}`, action, with: inputs, uses: { repository: 'weir/auth-action', ref: 'v0' } };
}

const excludeText = '# kept\n';

/** The exclude file is restored, which still counts as a change. */
function isAsCheckedOut({ path: file, bytes }: LeftoverFile): boolean {
  return file.endsWith(path.join('.git', 'info', 'exclude')) && bytes.toString() === excludeText;
}

export function checkOut(workspace: string): void {
  mkdirSync(path.join(workspace, '.git', 'info'), { recursive: true });
  writeFileSync(path.join(workspace, '.git', 'HEAD'), 'ref: refs/heads/main\n');
  writeFileSync(path.join(workspace, '.git', 'info', 'exclude'), excludeText);
  writeFileSync(path.join(workspace, 'README.md'), 'An app.\n');
}

function readAnnotations({ steps, posts }: RunnerResult) {
  const annotations = [...steps, ...posts].flatMap((step) => step.annotations);
  const of = (wanted: string) => annotations.flatMap(({ level, message }) => (level === wanted ? [message] : []));
  return { outputs: steps[0]?.outputs ?? {}, errors: of('error'), warnings: of('warning') };
}

function findUnintendedLeaks(result: RunnerResult, fake: FakeCloud, revokesToken: boolean): readonly Leak[] {
  const authTokens = result.steps.flatMap(({ outputs }) =>
    outputs.auth_token === undefined ? [] : [outputs.auth_token],
  );
  const secrets = {
    ...Object.fromEntries(authTokens.map((secret, index) => [`auth token ${index + 1}`, secret])),
    ...Object.fromEntries(fake.tokens.all().map(({ name, secret }) => [name, secret])),
  };
  const found = findLeaks(result, secrets, { outputs: ['auth_token', 'access_token', 'id_token'] });
  // A credentials file that is retained on request, and the token that post revokes.
  const isIntended = revokesToken ? /^left over: .*gha-creds-|^GITHUB_STATE / : /^left over: .*gha-creds-/;
  return found.filter(({ where }) => !isIntended.test(where));
}

/**
 * Describes the same cases for each Node.js version of runners; `run` runs jobs with that version. Skips versions that
 * are not installed.
 */
export function describeEachNode(describeCases: (run: typeof runJob) => void): void {
  for (const major of [20, 24]) {
    const node = findNode(major);
    const isThere = node !== undefined;
    const name = `on Node ${major}${isThere ? '' : ' (SKIPPED: not in PATH)'}`;
    (isThere ? describe : describe.skip)(name, () => {
      describeCases((job) => runJob({ ...job, runner: { ...job.runner, ...(isThere && { node }) } }));
    });
  }
}
