import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { evaluate } from '@weir/actions-runner';
import type { FakeClaims, FakeCloudOptions } from '@weir/fake-cloud';
import { describeUnless } from '@weir/test-kit';
import { parse } from 'yaml';
import { missingGcloud } from '../consumers/testing/consumer-steps';
import { expectSuccess } from './testing/job-assertions';
import { atLoopback, type Inputs } from './testing/run-in-process';
import { action, runJob } from './testing/run-job';
import { formatTerraform, lintByGcloud, missingTerraform, recordGcloud } from './testing/gcloud-calls';
import { setupByGcloud, setupByTerraform, type CloudSetup } from './testing/setup-page';

const page = readFileSync(path.join(action, '../../docs/auth-action/setup.md'), 'utf8');

function blocks(language: string): readonly string[] {
  return [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'gm'))].map(([, text = '']) => text);
}

const [commands = '', variant = ''] = blocks('sh');
const [terraform = ''] = blocks('hcl');
const workflow = parse(blocks('yaml')[0] ?? '') as { readonly steps: readonly { readonly with?: Inputs }[] };
const inputs = workflow.steps.find((step) => step.with !== undefined)?.with ?? {};

/** A fake cloud with the pool, provider and bindings of the set-up, for jobs with these claims. */
function createCloud(setup: CloudSetup, claims: FakeClaims): FakeCloudOptions {
  const attribute = (name: string, all: FakeClaims) => evaluate(setup.mapping[name] ?? '', { assertion: all });
  const [, pool, name = '', value] =
    /^principalSet:\/\/iam\.googleapis\.com\/(.+)\/(attribute\.[a-z_]+)\/(.+)$/.exec(setup.member) ?? [];
  const mayImpersonate =
    setup.role === 'roles/iam.workloadIdentityUser' && pool === setup.pool && attribute(name, claims) === value;
  return {
    provider: setup.provider,
    issuer: setup.issuer,
    claims,
    attributeCondition: (all) => evaluate(setup.condition, { assertion: all }) === true,
    accounts: [
      { email: setup.account, uniqueId: '100000000000000000001', impersonators: mayImpersonate ? ['federation'] : [] },
    ],
  };
}

const own = { repository: 'example-org/example-repo', repository_owner_id: '2002' };
const otherRepository = { ...own, repository: 'example-org/other-repo' };
const otherOwner = { repository: 'example-org/example-repo', repository_owner_id: '666' };

const missing = spawnSync('bash', ['--version']).status === 0 ? undefined : 'bash is not installed';

describeUnless(missing, 'commands of the page')('the set-up of docs/auth-action/setup.md', () => {
  const setup = setupByGcloud(recordGcloud(commands));

  const runWith = (claims: FakeClaims) =>
    runJob({
      cloud: createCloud(setup, claims),
      with: (fake) => ({ ...atLoopback(fake), ...inputs, token_format: 'access_token' }),
    });

  it('has names that Google Cloud accepts', () => {
    expect(setup.provider).toMatch(
      /^projects\/\d+\/locations\/global\/workloadIdentityPools\/(?!gcp-)[a-z0-9-]{4,32}\/providers\/(?!gcp-)[a-z0-9-]{4,32}$/,
    );
    expect(setup.account).toMatch(
      /^[a-z][a-z0-9-]{4,28}[a-z0-9]@[a-z][a-z0-9-]{4,28}[a-z0-9]\.iam\.gserviceaccount\.com$/,
    );
    expect(Object.keys(setup.mapping)).toContain('google.subject');
  });

  it('is that of the workflow on the page', () => {
    expect(inputs).toEqual({ workload_identity_provider: setup.provider, service_account: setup.account });
  });

  it('gives credentials to a job of the repository', async () => {
    expectSuccess(await runWith(own));
  });

  it('refuses a job of another owner in the exchange', async () => {
    const end = await runWith(otherOwner);

    expect(end.outcome).toBe('failure');
    expect(end.errors[0]).toContain('attribute condition');
    expect(end.requests.map(({ service }) => service)).not.toContain('iam');
  });

  it('refuses a job of another repository on the account', async () => {
    const end = await runWith(otherRepository);

    expect(end.outcome).toBe('failure');
    expect(end.errors[0]).toContain('roles/iam.workloadIdentityUser');
  });

  it('is the same by Terraform', () => {
    expect(setupByTerraform(terraform)).toEqual(setup);
  });

  it('has the same member in the variant without a service account', () => {
    expect(recordGcloud(variant)[0]?.flags.member).toBe(setup.member);
  });
});

describeUnless(missing ?? missingGcloud(), 'gcloud')('the commands of docs/auth-action/setup.md', () => {
  const calls = [commands, variant].flatMap(recordGcloud);

  it('are commands with options that gcloud has', () => {
    expect(calls).toHaveLength(8);
    expect(lintByGcloud(calls)).toEqual([]);
  });

  it('are refused with an option that it does not have', () => {
    const [first] = calls;
    const wrong = { words: [], flags: {}, args: [...(first?.args ?? []), '--nope=1'] };

    expect(lintByGcloud([wrong])).toEqual([expect.stringContaining('--nope')]);
  });
});

describeUnless(missingTerraform, 'Terraform')('the Terraform files', () => {
  it('are valid and formatted', () => {
    expect(formatTerraform(terraform)).toEqual({ formatted: terraform });
  });
});
