import { mkdirSync } from 'node:fs';
import {
  startFakeCloud,
  type FakeAwsRole,
  type FakeAwsSession,
  type FakeCloud,
  type FakeCloudOptions,
} from '@weir/fake-cloud';
import { temporaryFolder, type TemporaryFolder } from '@weir/test-kit';
import { runInProcess, type InProcessRun, type Inputs } from './run-in-process';

export const deployer: FakeAwsRole = {
  arn: 'arn:aws:iam::123456789012:role/deployer',
  audience: 'sts.amazonaws.com',
  subject: /^repo:example-org\/example-repo:/,
  maximumSessionSeconds: 43_200,
  callers: /:user\/ci$/,
};
export const target: FakeAwsRole = {
  ...deployer,
  arn: 'arn:aws:iam::210987654321:role/ci/target',
  callers: /:assumed-role\/deployer\//,
};
export const job = {
  GITHUB_REPOSITORY: 'example-org/example-repo',
  GITHUB_WORKFLOW: 'Deploy & test (main)',
  GITHUB_ACTION: '__run',
  GITHUB_ACTOR: 'dependabot[bot]',
  GITHUB_SHA: '0123456789abcdef0123456789abcdef01234567',
  GITHUB_REF: 'refs/heads/main',
  GITHUB_RUN_ID: '7',
};

/** A job that signs in to AWS. Each case starts its cloud; the cloud and the home folder are removed after it. */
export interface AwsJob {
  readonly fake: () => FakeCloud;
  readonly home: () => TemporaryFolder;
  readonly start: (options?: FakeCloudOptions) => Promise<void>;
  /** The inputs with the keys of a user. */
  readonly keys: () => Inputs;
  readonly sign: (inputs: Inputs, env?: Readonly<Record<string, string>>) => Promise<InProcessRun>;
  readonly lastSession: () => FakeAwsSession | undefined;
}

export function useAwsJob(): AwsJob {
  let fake: FakeCloud;
  let home: TemporaryFolder;
  beforeEach(() => {
    home = temporaryFolder();
    mkdirSync(home.file('temp'));
  });
  afterEach(async () => {
    await fake.stop();
    await home.remove();
  });
  return {
    fake: () => fake,
    home: () => home,
    start: async (options = {}) => {
      fake = await startFakeCloud({ awsRoles: [deployer, target], ...options });
    },
    keys: () => ({
      aws_access_key_id: fake.awsUser.accessKeyId,
      aws_secret_access_key: fake.awsUser.secretAccessKey,
    }),
    sign: (inputs, env = {}) =>
      runInProcess(fake, {
        inputs: { aws_sts_endpoint: fake.bases.aws, ...inputs },
        env: { ...job, RUNNER_TEMP: home.file('temp'), HOME: home.path, ...env },
      }),
    lastSession: () => fake.awsSessions().at(-1),
  };
}
