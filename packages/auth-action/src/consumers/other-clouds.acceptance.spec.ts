import path from 'node:path';
import process from 'node:process';
import { createTestAuthority, startConnectProxy, type ConnectProxy, type FakeCloud } from '@weir/fake-cloud';
import { temporaryFolder, waitFor } from '@weir/test-kit';
import { existsSync, readFileSync } from 'node:fs';
import { readExpiryMs } from '../publish/clouds/read-expiry';
import { createFakeAzureTools } from '../scenarios/testing/fake-azure-tools';
import { federated, type Inputs } from '../scenarios/testing/run-in-process';
import { runJob, type Job, type JobEnd } from '../scenarios/testing/run-job';

const fixture = (name: string) => ({
  program: process.execPath,
  args: ['--no-warnings', path.join(__dirname, '__fixtures__', name)],
});

const aws = (fake: FakeCloud): Inputs => ({ aws_role: fake.awsRole.arn, aws_region: 'eu-west-1' });
const azure = ({ azureApp }: FakeCloud): Inputs => ({
  azure_tenant_id: azureApp.tenantId,
  azure_client_id: azureApp.clientId,
  // A real one on this machine would send requests elsewhere.
  azure_cli: 'false',
});

/** Uses the real host names, through a proxy. The client of AWS uses no proxy, so it gets the loopback endpoint. */
async function runAtRealHosts(job: Omit<Job, 'around'>): Promise<JobEnd & { readonly tunnels: readonly string[] }> {
  const authority = createTestAuthority();
  let proxy: ConnectProxy | undefined;
  try {
    const end = await runJob({
      ...job,
      cloud: { ...job.cloud, authority },
      around: async (fake) => {
        proxy = await startConnectProxy({ route: fake.route, ca: authority });
        return { ...proxy.env, NO_PROXY: '127.0.0.1', AWS_ENDPOINT_URL_STS: fake.bases.aws };
      },
    });
    return { ...end, tunnels: [...new Set(proxy?.requests)].toSorted() };
  } finally {
    await proxy?.stop();
    await authority.remove();
  }
}

function expectClean({ errors, warnings, leaked, leftovers }: JobEnd): void {
  expect({ errors, warnings, leaked, leftovers: leftovers.map(({ path: file }) => file) }).toEqual({
    errors: [],
    warnings: [],
    leaked: [],
    leftovers: [],
  });
}

describe('the client of AWS', () => {
  it('assumes the role with the files and variables of the step, all removed at the end', async () => {
    const end = await runAtRealHosts({ with: aws, steps: [fixture('aws-caller.mjs')] });

    expectClean(end);
    expect(end.steps.at(-1)?.log).toMatch(/^caller: arn:aws:sts::123456789012:assumed-role\/deployer\/\S+$/m);
    expect(end.seen?.env).toMatchObject({ AWS_ROLE_ARN: end.fake.awsRole.arn, AWS_REGION: 'eu-west-1' });
    expect(end.tunnels).toEqual(['sts.eu-west-1.amazonaws.com:443']);
    expect(end.requests.filter(({ service }) => service === 'aws')).toHaveLength(3);
  });
});

describe('a profile of AWS', () => {
  it('is what the client signs in with, one of several', async () => {
    const profile = (fake: FakeCloud, name: string): Inputs => ({ ...aws(fake), aws_profile: name });
    const end = await runAtRealHosts({
      with: (fake) => [
        { ...profile(fake, 'one'), aws_role_session_name: 'first' },
        { ...profile(fake, 'two'), aws_role_session_name: 'second' },
      ],
      steps: ['one', 'two'].map((name) => ({ ...fixture('aws-caller.mjs'), env: { AWS_PROFILE: name } })),
    });

    expectClean(end);
    expect(end.steps.slice(-2).map(({ log }) => log.trim())).toEqual([
      'caller: arn:aws:sts::123456789012:assumed-role/deployer/first',
      'caller: arn:aws:sts::123456789012:assumed-role/deployer/second',
    ]);
  });
});

describe('Docker', () => {
  it('is signed in to registries of AWS as the role, and out at the end', async () => {
    const registries = ['123456789012.dkr.ecr.eu-west-1.amazonaws.com', 'public.ecr.aws'];
    let config: unknown;
    const end = await runAtRealHosts({
      with: (fake) => ({ ...aws(fake), aws_docker_registries: registries.join(', ') }),
      steps: [
        {
          inspect: ({ env }) => {
            config = JSON.parse(readFileSync(path.join(env.HOME ?? '', '.docker/config.json'), 'utf8'));
          },
        },
      ],
    });

    expectClean(end);
    const { auths } = config as { readonly auths: Readonly<Record<string, { readonly auth: string }>> };
    const passwords = end.fake.tokens.ofKind('registry password');
    expect(registries.map((host) => Buffer.from(auths[host]?.auth ?? '', 'base64').toString())).toEqual(
      passwords.map(({ secret }) => `AWS:${secret}`),
    );
    expect(passwords.map(({ scopes, principal }) => [...scopes, principal.split('/')[1]])).toEqual([
      ['ecr', 'deployer'],
      ['ecr-public', 'deployer'],
    ]);
    expect(end.tunnels).toEqual([
      'api.ecr-public.us-east-1.amazonaws.com:443',
      'api.ecr.eu-west-1.amazonaws.com:443',
      'sts.eu-west-1.amazonaws.com:443',
    ]);
  });
});

describe('the client of Azure', () => {
  it('requests a token with the files and variables of the step, all removed at the end', async () => {
    const end = await runAtRealHosts({ with: azure, steps: [fixture('azure-token.mjs')] });

    expectClean(end);
    expect(end.steps.at(-1)?.log).toMatch(/^token until: \d{4}$/m);
    expect(end.tunnels).toEqual(['login.microsoftonline.com:443']);
    expect(end.fake.tokens.ofKind('azure token').map(({ scopes }) => scopes)).toEqual([
      ['https://management.azure.com/.default'],
      ['https://vault.azure.net/.default'],
    ]);
  });
});

describe('the Azure CLI', () => {
  it('is signed in to a national cloud with a token that is renewed, and out at the end', async () => {
    const folder = temporaryFolder();
    const tools = createFakeAzureTools(folder.file('bin'), ['az']);
    const readAssertion = () => tools.accounts()[0]?.client_assertion;
    const end = await runAtRealHosts({
      cloud: { oidcLifetimeSeconds: 12 },
      with: (fake) => ({ ...azure(fake), azure_environment: 'AzureUSGovernment', azure_cli: 'true' }),
      runner: { env: tools.env },
      steps: [
        {
          inspect: async () => {
            const first = readAssertion();
            await waitFor(() => readAssertion() !== first, { what: 'the renewal' });
          },
        },
      ],
    });
    const [accounts, commands] = [tools.accounts(), tools.commands()];
    await folder.remove();

    expectClean(end);
    expect(end.tunnels).toEqual(['login.microsoftonline.us:443']);
    expect(commands[0]).toBe('cloud set --name AzureUSGovernment');
    expect(commands.at(-1)).toMatch(/^logout /);
    expect(accounts).toEqual([]);
  });
});

describe('a client that starts after the first token has expired', () => {
  it.each([
    ['AWS', aws, 'AWS_WEB_IDENTITY_TOKEN_FILE', 'aws-caller.mjs', /assumed-role\/deployer/],
    ['Azure', azure, 'AZURE_FEDERATED_TOKEN_FILE', 'azure-token.mjs', /^token until: \d{4}$/m],
  ] as const)('has access to %s, because the token is renewed', async (_cloud, inputs, variable, client, result) => {
    let file = '';
    const end = await runAtRealHosts({
      cloud: { oidcLifetimeSeconds: 12 },
      with: inputs,
      steps: [
        {
          inspect: async ({ env }) => {
            file = env[variable] ?? '';
            const expiresAt = readExpiryMs(readFileSync(file, 'utf8')) ?? Number.NaN;
            await waitFor(() => Date.now() > expiresAt, { what: 'the first token to expire' });
          },
        },
        fixture(client),
      ],
    });

    expectClean(end);
    expect(end.steps.at(-1)?.log).toMatch(result);
    expect(existsSync(file)).toBe(false);
  });
});

describe('three clouds in one step', () => {
  it('work together, with a token for each audience', async () => {
    const end = await runAtRealHosts({
      with: (fake) => federated(fake, { ...aws(fake), ...azure(fake) }),
      steps: [fixture('aws-caller.mjs'), fixture('azure-token.mjs')],
    });

    expectClean(end);
    const audiences = end.requests
      .filter(({ service }) => service === 'oidc')
      .map(({ path: target }) => new URL(target, 'http://a').searchParams.get('audience'));
    expect(audiences.slice(0, 3)).toEqual([
      `https://iam.googleapis.com/${end.fake.provider}`,
      'sts.amazonaws.com',
      'api://AzureADTokenExchange',
    ]);
    expect(Object.keys(end.outputs)).toEqual(
      expect.arrayContaining(['credentials_file_path', 'aws_web_identity_token_file', 'azure_federated_token_file']),
    );
  });
});
