import { AppError } from '@weir/foundation';
import { anAccount, directIdentity, federationIdentity, keyIdentity, someSettings } from '../testing/settings';
import { formatFailureSummary } from './failure';
import { listFixes } from './fix-lines';
import { hclText, shellText } from './quote-text';

const job = { event: 'push', isFork: false, isDependabot: false, isCalled: false, repository: undefined };
const claims = {
  iss: 'https://token.actions.githubusercontent.com',
  sub: 'repo:o/r:ref:refs/heads/main',
  repository: 'o/r',
  repository_id: '74',
};
const missing = { googleReason: 'invalid_target' };

function fixes(reason: string, changes: Partial<Parameters<typeof listFixes>[1]> = {}, details = {}): string {
  const error = new AppError('forbidden', 'No.', { reason, details });
  const blocks = listFixes(error, { settings: someSettings(), job, claims, ...changes });
  return blocks.map(({ title, lines }) => [title, ...lines].join('\n')).join('\n');
}

describe('listFixes', () => {
  const condition = 'assertion.repository_id == "74"';
  const place = '--project=1234 --location=global --workload-identity-pool=pool';
  const describeProvider = `gcloud iam workload-identity-pools providers describe ci ${place}`;

  it.each([{}, { description: 'The given credential is rejected by the attribute condition.' }])(
    'adds the repository to the condition of a provider that others use too (%j)',
    (details) => {
      expect(fixes('sts_refused', {}, details)).toBe(
        [
          'gcloud, if the condition is the cause',
          `condition=$(${describeProvider} --format='value(attributeCondition)')`,
          '# Adds the repository o/r to what the condition accepts already.',
          'gcloud iam workload-identity-pools providers update-oidc ci \\',
          `  ${place} \\`,
          `  --attribute-condition="($condition) || "'${condition}'`,
          'Terraform, if the condition is the cause: in the provider, after the condition that it has',
          '# Adds the repository o/r.',
          String.raw`attribute_condition = "(<condition>) || assertion.repository_id == \"74\""`,
        ].join('\n'),
      );
    },
  );

  it('adds the audience to those that a provider accepts', () => {
    const details = { description: 'The audience in ID Token does not match the expected audience.' };

    expect(fixes('sts_refused', {}, details)).toBe(
      [
        'gcloud',
        `audiences=$(${describeProvider} --format='value[delimiter=","](oidc.allowedAudiences)')`,
        '# Without a list, a provider accepts its own name only.',
        'gcloud iam workload-identity-pools providers update-oidc ci \\',
        `  ${place} \\`,
        `  --allowed-audiences="\${audiences:-https://iam.googleapis.com/${federationIdentity.provider.name}},"'https://a?b'`,
      ].join('\n'),
    );
  });

  it.each(['The size of mapped attribute google.subject exceeds the limit.', 'The issuer in ID Token does not match.'])(
    'changes nothing in a provider that may serve others: %s',
    (description) => {
      expect(fixes('sts_refused', {}, { description })).toBe(`gcloud, to compare\n${describeProvider}`);
    },
  );

  it('creates a pool and a provider that do not exist', () => {
    expect(fixes('sts_refused', {}, missing)).toBe(
      [
        'gcloud',
        'gcloud iam workload-identity-pools create pool --project=1234 --location=global',
        '# The condition accepts the repository o/r.',
        'gcloud iam workload-identity-pools providers create-oidc ci \\',
        `  ${place} \\`,
        '  --issuer-uri=https://token.actions.githubusercontent.com \\',
        '  --attribute-mapping=google.subject=assertion.sub,attribute.repository=assertion.repository \\',
        "  --allowed-audiences='https://a?b' \\",
        `  --attribute-condition='${condition}'`,
        'Terraform',
        'resource "google_iam_workload_identity_pool_provider" "ci" {',
        '  project                            = "1234"',
        '  workload_identity_pool_id          = "pool"',
        '  workload_identity_pool_provider_id = "ci"',
        '  # Accepts the repository o/r.',
        String.raw`  attribute_condition = "assertion.repository_id == \"74\""`,
        '  attribute_mapping = {',
        '    "google.subject" = "assertion.sub"',
        '    "attribute.repository" = "assertion.repository"',
        '  }',
        '  oidc {',
        '    issuer_uri = "https://token.actions.githubusercontent.com"',
        '    allowed_audiences = ["https://a?b"]',
        '  }',
        '}',
      ].join('\n'),
    );
  });

  it('names no audience that a provider accepts anyway', () => {
    const audience = `https://iam.googleapis.com/${federationIdentity.provider.name}`;
    const settings = someSettings({ identity: { ...federationIdentity, audience } });

    expect(fixes('sts_refused', { settings }, missing)).not.toContain('allowed');
  });

  it.each([
    ['a subject that is too long', { ...claims, sub: 'x'.repeat(128) }, 'assertion.repository_id + ":" + assertion'],
    ['a repository without a subject', { ...claims, sub: undefined }, 'google.subject=assertion.sub,attribute'],
    ['a repository without a name', { repository_id: '74' }, 'accepts the repository 74.'],
    ['a token without a repository', { iss: 'https://ci', sub: 'job-1' }, 'assertion.sub == "job-1"'],
    ['claims that could end the condition', { sub: 'a"b' }, 'assertion.sub == "<subject>"'],
    ['no claims', {}, '--issuer-uri=https://token.actions.githubusercontent.com'],
  ])('is careful with %s', (_, changed, text) => {
    expect(fixes('sts_refused', { claims: changed }, missing)).toContain(text);
  });

  it('grants the role on the account', () => {
    expect(fixes('iam_refused')).toBe(
      [
        'gcloud',
        `gcloud iam service-accounts add-iam-policy-binding ${anAccount} \\`,
        '  --role=roles/iam.workloadIdentityUser \\',
        '  --member=principalSet://iam.googleapis.com/projects/1234/locations/global/workloadIdentityPools/pool/attribute.repository/o/r',
        'Terraform',
        'resource "google_service_account_iam_member" "ci" {',
        `  service_account_id = "projects/proj/serviceAccounts/${anAccount}"`,
        '  role               = "roles/iam.workloadIdentityUser"',
        '  member             = "principalSet://iam.googleapis.com/projects/1234/locations/global/workloadIdentityPools/pool/attribute.repository/o/r"',
        '}',
      ].join('\n'),
    );
    const settings = someSettings({ delegates: ['100000000000000000002'] });
    expect(fixes('iam_refused', { settings })).toContain('projects/-/serviceAccounts/100000000000000000002');
  });

  it.each([
    ['of the account', someSettings(), '--project=proj'],
    ['of the input', someSettings({ identity: directIdentity, projectId: 'other' }), '--project=other'],
    ['that is unknown', someSettings({ identity: directIdentity, projectId: undefined }), "--project='<project>'"],
  ])('enables the API in the project %s', (_, settings, project) => {
    const text = fixes('iam_refused', { settings }, { googleReason: 'SERVICE_DISABLED' });

    expect(text).toContain(`gcloud services enable iamcredentials.googleapis.com ${project}`);
    expect(text).toContain('resource "google_project_service" "api" {');
  });

  it('enables the token service in the project of the pool', () => {
    const text = fixes('service_disabled', {}, { googleReason: 'SERVICE_DISABLED', service: 'sts' });

    expect(text).toContain('gcloud services enable sts.googleapis.com --project=1234');
    expect(text).toContain('service = "sts.googleapis.com"');
  });

  it.each([
    ['the permissions of a workflow', 'id_token_permission_missing', {}, 'Workflow\npermissions:'],
    ['nothing without settings', 'sts_refused', { settings: undefined }, ''],
    ['nothing for other failures', 'tls_failed', {}, ''],
    ['no provider of a key', 'sts_refused', { settings: someSettings({ identity: keyIdentity(anAccount) }) }, ''],
    ['no role of direct federation', 'iam_refused', { settings: someSettings({ identity: directIdentity }) }, ''],
  ])('knows %s', (_, reason, changes, text) => {
    expect(fixes(reason, changes)).toMatch(new RegExp(`^${text}${text === '' ? '$' : ''}`));
  });
});

describe('formatFailureSummary', () => {
  it('fences lines that contain a fence, and escapes the message', () => {
    const summary = formatFailureSummary({
      message: 'A <b>|\nB',
      cause: undefined,
      nextStep: undefined,
      hints: ['```', 'x'],
      fixes: [],
    });

    expect(summary).toBe(
      '### Authentication failed\n\n<code>A &#60;b&#62;&#124;</code><br><code>B</code>\n\n````text\n```\nx\n````\n',
    );
  });
});

describe('texts', () => {
  it('are quoted for a shell and for Terraform', () => {
    expect([shellText('a/b=c'), shellText("a'$(b)")]).toEqual(['a/b=c', String.raw`'a'\''$(b)'`]);
    expect(hclText('"${a} %{b} $c')).toBe('"\\"$${a} %%{b} $c"');
  });
});
