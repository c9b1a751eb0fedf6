import type { Here } from './peer-interface';

/** An input or output of the action of another cloud. */
export interface CloudField {
  readonly name: string;
  /** `read` if the counterpart depends on the value. */
  readonly here: Here | { readonly is: 'read'; readonly to: string };
}

export interface AwsField {
  readonly name: string;
  /** `variable` if the counterpart is an environment variable of the step. */
  readonly here: CloudField['here'] | { readonly is: 'variable'; readonly to: string };
}

const to = (name: string): Here => ({ is: 'renamed', to: name });
const read = (name: string): CloudField['here'] => ({ is: 'read', to: name });
const retried: Here = { is: 'unneeded', why: 'requests are retried by default, within the input `timeout`' };
const variable = (name: string): AwsField['here'] => ({ is: 'variable', to: name });

/** The inputs of the action of AWS, up to version 6.3. */
export const awsInputs: readonly AwsField[] = [
  { name: 'aws-region', here: to('aws_region') },
  { name: 'role-to-assume', here: read('aws_role') },
  { name: 'role-chaining', here: to('aws_role_chaining') },
  { name: 'aws-access-key-id', here: to('aws_access_key_id') },
  { name: 'aws-secret-access-key', here: to('aws_secret_access_key') },
  { name: 'aws-session-token', here: to('aws_session_token') },
  { name: 'web-identity-token-file', here: to('oidc_token_file') },
  { name: 'audience', here: to('aws_audience') },
  { name: 'role-duration-seconds', here: to('aws_role_duration') },
  { name: 'role-session-name', here: to('aws_role_session_name') },
  { name: 'role-external-id', here: to('aws_external_id') },
  { name: 'role-skip-session-tagging', here: read('aws_job_tags') },
  { name: 'custom-tags', here: read('aws_session_tags') },
  { name: 'transitive-tag-keys', here: to('aws_transitive_tags') },
  { name: 'inline-session-policy', here: to('aws_inline_policy') },
  { name: 'managed-session-policies', here: to('aws_managed_policies') },
  { name: 'allowed-account-ids', here: to('aws_allowed_accounts') },
  { name: 'mask-aws-account-id', here: to('aws_mask_account') },
  { name: 'output-credentials', here: to('aws_session_outputs') },
  { name: 'output-env-credentials', here: read('export_environment_variables') },
  { name: 'unset-current-credentials', here: to('aws_unset_credentials') },
  { name: 'use-existing-credentials', here: to('aws_use_existing_credentials') },
  { name: 'aws-profile', here: to('aws_profile') },
  { name: 'overwrite-aws-profile', here: to('aws_overwrite_profile') },
  { name: 'sts-endpoint', here: to('aws_sts_endpoint') },
  { name: 'action-timeout-s', here: read('timeout') },
  { name: 'disable-retry', here: retried },
  { name: 'retry-max-attempts', here: retried },
  {
    name: 'force-skip-oidc',
    here: { is: 'unneeded', why: 'the OIDC token is not used with keys or with `aws_role_chaining`' },
  },
  { name: 'special-characters-workaround', here: to('aws_plain_secret_key') },
  { name: 'http-proxy', here: variable('HTTPS_PROXY') },
  { name: 'no-proxy', here: variable('NO_PROXY') },
];

export const awsOutputs: readonly CloudField[] = [
  { name: 'aws-account-id', here: to('aws_account_id') },
  { name: 'authenticated-arn', here: to('aws_arn') },
  { name: 'aws-access-key-id', here: to('aws_access_key_id') },
  { name: 'aws-secret-access-key', here: to('aws_secret_access_key') },
  { name: 'aws-session-token', here: to('aws_session_token') },
  { name: 'aws-expiration', here: to('aws_expiration') },
];
