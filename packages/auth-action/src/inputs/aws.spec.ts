import { readAllSettings, readRefusedInputs, type Inputs } from '../testing/read-inputs';

const role = 'arn:aws:iam::123456789012:role/deployer';
const next = 'arn:aws:iam::210987654321:role/target';
const key: Inputs = { aws_access_key_id: 'AKIA0123456789ABCDEF', aws_secret_access_key: 'secret/secret+secret=' };
const policy = 'arn:aws:iam::aws:policy/ReadOnlyAccess';
const federated = { aws_role: role };
const signed = { ...federated, ...key };
const environment = { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' };

describe('readSettings', () => {
  it.each<readonly [string, Inputs, string, string]>([
    [
      'an id of a key that is none',
      { ...signed, aws_access_key_id: 'short' },
      'aws_keys_invalid',
      'id of an access key',
    ],
    [
      'a secret of two lines',
      { ...signed, aws_secret_access_key: 'secret\nsecret-secret' },
      'aws_keys_invalid',
      'one line',
    ],
    ['a quoted secret', { ...signed, aws_secret_access_key: '"secret-secret-1"' }, 'text_quoted', 'quotation mark'],
    [
      'a key without its secret',
      { aws_access_key_id: 'AKIA0123456789ABCDEF' },
      'aws_keys_missing',
      'Input aws_secret_access_key',
    ],
    [
      'a secret without its id',
      { aws_secret_access_key: 'secret/secret+secret=' },
      'aws_keys_missing',
      'Input aws_access_key_id',
    ],
    ['a session token alone', { aws_session_token: 'token-token-token' }, 'aws_keys_missing', '2 inputs are invalid'],
    ['keys from two places', { ...signed, aws_role_chaining: 'true' }, 'aws_keys_ambiguous', 'not both'],
    [
      'a chain without credentials',
      { ...federated, aws_role_chaining: 'true' },
      'aws_keys_missing',
      'aws_session_variables: true',
    ],
    ['a chain without a role', { aws_role_chaining: 'true' }, 'inputs_invalid', 'Input aws_role has no value'],
    [
      'existing credentials that are missing',
      { aws_use_existing_credentials: 'true' },
      'aws_keys_missing',
      'no aws_role',
    ],
    [
      'the name of a role for the OIDC token',
      { aws_role: 'ci/deployer' },
      'aws_role_invalid',
      'whose account only keys say',
    ],
    [
      'the ARN of a user',
      { ...key, aws_role: 'arn:aws:iam::123456789012:user/ci' },
      'aws_role_invalid',
      'Use the form',
    ],
    ['a plain key of a user', { ...key, aws_plain_secret_key: 'true' }, 'aws_input_unused', 'only to aws_role'],
    ['a chained role that is none', { ...federated, aws_chained_roles: `${next},x` }, 'aws_role_invalid', '(item 2)'],
    ['chained roles without the first', { aws_chained_roles: next }, 'aws_role_missing', 'Input aws_role'],
    ['a policy that is no JSON', { ...federated, aws_inline_policy: '{' }, 'aws_policy_invalid', 'not a JSON object'],
    ['a policy that is a list', { ...federated, aws_inline_policy: '[]' }, 'aws_policy_invalid', 'not a JSON object'],
    [
      'a long policy',
      { ...federated, aws_inline_policy: `{"a":"${'x'.repeat(2048)}"}` },
      'aws_policy_invalid',
      'aws_managed_policies',
    ],
    [
      'a managed policy that is none',
      { ...federated, aws_managed_policies: role },
      'aws_policy_invalid',
      ':policy/<name>',
    ],
    [
      'eleven policies',
      { ...federated, aws_managed_policies: `${policy},`.repeat(11) },
      'list_too_long',
      'AWS accepts 10',
    ],
    ['a short duration', { ...federated, aws_role_duration: '14m' }, 'duration_out_of_range', '900s to 12h'],
    ['a long duration', { ...federated, aws_role_duration: '12h1s' }, 'duration_out_of_range', '12h'],
    [
      'a long duration of a chain',
      { ...federated, aws_chained_roles: next, aws_role_duration: '61m' },
      'duration_out_of_range',
      'the session of another role',
    ],
    ['an external id that is none', { ...signed, aws_external_id: 'a b' }, 'aws_external_id_invalid', '2 to 1224'],
    ['a tag without a value', { ...signed, aws_session_tags: 'Team' }, 'aws_tag_invalid', 'key=value'],
    ['a tag with a forbidden character', { ...signed, aws_session_tags: 'Team=#1' }, 'aws_tag_invalid', 'key=value'],
    ['a tag twice', { ...signed, aws_session_tags: 'Team=a,Team=b' }, 'aws_tag_invalid', 'Team twice'],
    ['a tag of the job', { ...signed, aws_session_tags: 'Branch=main' }, 'aws_tag_invalid', 'aws_job_tags: false'],
    [
      '51 tags',
      { ...signed, aws_session_tags: Array.from({ length: 50 }, (_, n) => `k${n}=v`).join() },
      'aws_tag_invalid',
      'AWS accepts 50',
    ],
    ['a transitive tag without a tag', { ...signed, aws_transitive_tags: 'Team' }, 'aws_tag_invalid', 'no such tag'],
    ['an account that is none', { ...federated, aws_allowed_accounts: '1.23e11' }, 'aws_account_invalid', '12 digits'],
    [
      'a role of another account',
      { ...federated, aws_allowed_accounts: '111111111111' },
      'aws_account_not_allowed',
      'does not contain 123456789012',
    ],
    ['a profile with a bracket', { ...federated, aws_profile: 'a]' }, 'aws_profile_invalid', 'at most 128'],
    ['a registry of another cloud', { ...federated, aws_docker_registries: 'gcr.io' }, 'registry_invalid', 'dkr.ecr'],
    [
      'an external id for the OIDC token',
      { ...federated, aws_external_id: 'id-7' },
      'aws_input_unused',
      'with keys or with another role',
    ],
    [
      'tags for the OIDC token',
      { ...federated, aws_session_tags: 'Team=a' },
      'aws_input_unused',
      'aws_session_tags has no effect',
    ],
    ['a policy for the keys of a user', { ...key, aws_inline_policy: '{}' }, 'aws_input_unused', 'only to aws_role'],
    ['a duration for the keys of a user', { ...key, aws_role_duration: '1h' }, 'aws_input_unused', 'aws_role_duration'],
    ['an audience for keys', { ...signed, aws_audience: 'a' }, 'aws_input_unused', 'with the OIDC token'],
    [
      'permission to replace no profile',
      { ...federated, aws_overwrite_profile: 'true' },
      'aws_input_unused',
      'only to aws_profile',
    ],
  ])('refuses %s', (_, inputs, reason, sentence) => {
    const refusal = readRefusedInputs(inputs);

    expect(refusal).toMatchObject({ reason });
    expect(refusal.message).toContain(sentence);
    expect(refusal.message).not.toContain('secret/secret');
    expect(refusal.message).not.toContain('token-token');
  });

  it.each<readonly [string, Inputs, Readonly<Record<string, string>>, object]>([
    [
      'the keys of the environment',
      { ...federated, aws_role_chaining: 'true' },
      environment,
      { isFederated: false, keys: { accessKeyId: 'a' } },
    ],
    [
      'a tag that replaces one of the job',
      { ...signed, aws_session_tags: 'RunId=8' },
      { GITHUB_RUN_ID: '7' },
      {
        session: {
          tags: [
            { key: 'GitHub', value: 'Actions' },
            { key: 'RunId', value: '8' },
          ],
        },
      },
    ],
    [
      'a tag of the job without its tags',
      { ...signed, aws_job_tags: 'false', aws_session_tags: 'Branch=main' },
      {},
      { session: { tags: [{ key: 'Branch', value: 'main' }] } },
    ],
    [
      'a long duration with keys of a user',
      { ...signed, aws_role_duration: '43200' },
      {},
      { session: { durationSeconds: 43_200 } },
    ],
    [
      'the endpoint of China',
      {
        aws_access_key_id: key.aws_access_key_id ?? '',
        aws_secret_access_key: key.aws_secret_access_key ?? '',
        aws_region: 'cn-north-1',
      },
      {},
      { stsEndpoint: 'https://sts.cn-north-1.amazonaws.com.cn' },
    ],
    [
      'accounts in lines',
      { ...federated, aws_allowed_accounts: '111111111111\n123456789012' },
      {},
      { allowedAccounts: ['111111111111', '123456789012'] },
    ],
    [
      'a profile without variables',
      { ...federated, aws_profile: 'a.b' },
      {},
      { profile: { name: 'a.b', overwrites: false }, setsVariables: false, handsOutToken: false },
    ],
    [
      'a public registry',
      { ...federated, aws_docker_registries: 'public.ecr.aws' },
      {},
      { registries: ['public.ecr.aws'], handsOutToken: true },
    ],
  ])('reads %s', (_, inputs, env, settings) => {
    expect(readAllSettings(inputs, env).clouds.aws).toMatchObject(settings);
  });
});
