import { mkdirSync } from 'node:fs';
import path from 'node:path';
import {
  fetchAction,
  findLeaks,
  runSteps,
  type Leak,
  type RunnerResult,
  type RunStepsOptions,
} from '@weir/actions-runner';
import {
  createTestAuthority,
  startConnectProxy,
  startFakeCloud,
  type FakeCloud,
  type FakeCloudOptions,
} from '@weir/fake-cloud';
import { writeExportCommit } from '../export-commit';
import { exportFiles } from '../exported-files';
import { createGit } from '../git';
import { planRefs } from '../plan-refs';
import { pushRefs, readRefs } from '../publish-commit';
import { copyOfThisRepository } from './source-repository';

export interface PublishedJob extends Omit<RunStepsOptions, 'steps' | 'workspace' | 'idToken' | 'secrets'> {
  readonly cloud?: FakeCloudOptions;
  /** Receives the fake cloud, and the folder of the action at a reference, as the runner fetches it for `uses`. */
  readonly steps: (fake: FakeCloud, fetch: (ref: string) => string) => RunStepsOptions['steps'];
}

export interface PublishedJobEnd extends RunnerResult {
  readonly fake: FakeCloud;
  /** Secrets in places that users do not expect. */
  readonly leaks: readonly Leak[];
}

/** This checkout, published into a repository of its own in a temporary folder. */
export interface PublishedAction {
  readonly remote: string;
  readonly version: string;
  /** The files of a reference in a new folder of that name. */
  readonly fetch: (ref: string, folder: string) => string;
  /** Runs a job with `id-token: write` of a user, against the real host names. */
  readonly runJob: (job: PublishedJob) => Promise<PublishedJobEnd>;
  readonly remove: () => Promise<void>;
}

export function publishThisCheckout(repository: string): PublishedAction {
  const source = copyOfThisRepository();
  const authority = createTestAuthority();
  const git = createGit(source.folder);
  const head = git.text(['rev-parse', 'HEAD']);
  const exported = exportFiles(git, head, repository);
  const folder = source.file('export.git');
  const commit = writeExportCommit(exported, git, head, folder);
  const target = createGit(folder);
  pushRefs(target, source.remote, commit, planRefs(exported.version, commit, readRefs(target, source.remote)));
  let jobs = 0;

  const fetch = (ref: string, name: string): string => {
    const files = source.file(name);
    fetchAction({ url: `file://${source.remote}`, ref, folder: files });
    return files;
  };

  const runJob: PublishedAction['runJob'] = async ({ cloud = {}, steps, ...options }) => {
    const name = `job-${(jobs += 1)}`;
    const workspace = path.join(source.file(name), 'workspace');
    mkdirSync(workspace, { recursive: true });
    const fake = await startFakeCloud({ ...cloud, authority });
    const proxy = await startConnectProxy({ route: fake.route, ca: authority });
    const { ACTIONS_ID_TOKEN_REQUEST_URL: url, ACTIONS_ID_TOKEN_REQUEST_TOKEN: token } = fake.env;
    try {
      const end = await runSteps({
        ...options,
        workspace,
        env: { ...options.env, ...proxy.env },
        secrets: [token],
        idToken: { url, token },
        steps: steps(fake, (ref) => fetch(ref, path.join(name, 'action'))),
      });
      const secrets = Object.fromEntries(fake.tokens.all().map(({ name: kind, secret }) => [kind, secret]));
      return { ...end, leaks: findLeaks(end, secrets, { outputs: ['access_token', 'auth_token'] }), fake };
    } finally {
      await proxy.stop();
      await fake.stop();
    }
  };

  return {
    remote: source.remote,
    version: exported.version,
    fetch,
    runJob,
    remove: async () => {
      await source.remove();
      await authority.remove();
    },
  };
}
