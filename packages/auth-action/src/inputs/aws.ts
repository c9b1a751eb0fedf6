import type { ActionsRuntime } from '../runner/actions-runtime';
import { readAwsKeys, readEnvironmentKeys } from './aws-keys';
import { readAwsSession } from './aws-session';
import {
  accountOf,
  isRoleName,
  parseAccount,
  parseAwsRegistry,
  parseProfileName,
  parseRegion,
  parseRole,
  parseRoleOrName,
} from './aws-texts';
import type { AwsKeys, AwsProfile, AwsSessionSettings, AwsSettings } from './cloud-settings';
import { parseEndpoint } from './endpoints';
import type { InputReader } from './input-reader';
import { parseList, spaceOrComma } from './list';
import { invalidInput } from './parsed-input';
import { parseBoolean } from './switches';
import { parseAudience } from './texts';

type Runtime = Pick<ActionsRuntime, 'env' | 'mask' | 'inputDefaults'>;

/** Variables that clients find earlier credentials in. */
const credentialVariables = [
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
  'AWS_ROLE_ARN',
  'AWS_ROLE_SESSION_NAME',
  'AWS_WEB_IDENTITY_TOKEN_FILE',
];

/** Returns `undefined` if the job does not sign in to AWS. Secrets are masked. */
export function readAws(reader: InputReader, runtime: Runtime): AwsSettings | undefined {
  const isChaining = reader.read('aws_role_chaining', parseBoolean);
  const usesExisting = reader.read('aws_use_existing_credentials', parseBoolean);
  const keys = readAwsKeys(reader, runtime, isChaining);
  const roles = readRoles(reader);
  const isFederated = keys === undefined && roles.length > 0;
  const isChained = roles.length > 1 || keys?.sessionToken !== undefined;
  const session = readAwsSession(reader, runtime.env, isChained);
  const profile = readProfile(reader);
  const exportsKeys = reader.read('aws_session_variables', parseBoolean);
  const wantsPlainKey = reader.read('aws_plain_secret_key', parseBoolean);
  const settings: AwsSettings = {
    isFederated,
    keys,
    existingKeys: usesExisting ? readEnvironmentKeys(runtime) : undefined,
    roles,
    audience: reader.read('aws_audience', parseAudience),
    session,
    ...readPlace(reader, roles),
    allowedAccounts: reader.readOptional('aws_allowed_accounts', (text) => parseList(text, parseAccount, spaceOrComma)),
    wantsPlainKey,
    masksAccount: reader.read('aws_mask_account', parseBoolean),
    outputsSession: reader.read('aws_session_outputs', parseBoolean),
    handsOutToken:
      isFederated &&
      roles.length === 1 &&
      !exportsKeys &&
      !wantsPlainKey &&
      !isLimited(session) &&
      profile === undefined,
    setsVariables: exportsKeys || profile === undefined,
    unsetVariables: readUnset(reader, runtime.env, roles.length === 0 && keys?.sessionToken === undefined),
    profile,
    registries:
      reader.readOptional('aws_docker_registries', (text) => parseList(text, parseAwsRegistry, spaceOrComma)) ?? [],
  };
  const isKeySet = ['aws_access_key_id', 'aws_secret_access_key', 'aws_session_token'].some(
    (name) => reader.text(name) !== undefined,
  );
  if (reader.text('aws_role') === undefined && !isKeySet) {
    reportMissing(reader, runtime, { isChaining, usesExisting, existingKeys: settings.existingKeys });
    if (!usesExisting) return undefined;
  }
  reportUnused(reader, settings);
  reportName(reader, settings);
  reportAccount(reader, settings);
  return settings;
}

function readRoles(reader: InputReader): readonly string[] {
  const role = reader.readOptional('aws_role', parseRoleOrName);
  const chained = reader.readOptional('aws_chained_roles', (text) => parseList(text, parseRole, spaceOrComma)) ?? [];
  return role === undefined ? [] : [role, ...chained];
}

function readProfile(reader: InputReader): AwsProfile | undefined {
  const name = reader.readOptional('aws_profile', parseProfileName);
  const overwrites = reader.read('aws_overwrite_profile', parseBoolean);
  if (name === undefined && overwrites) refuseUnused(reader, 'aws_overwrite_profile', 'aws_profile');
  return name === undefined ? undefined : { name, overwrites };
}

function readPlace(
  reader: InputReader,
  [role = '']: readonly string[],
): Pick<AwsSettings, 'region' | 'stsEndpoint' | 'isEndpointSet'> {
  const region = reader.readOptional('aws_region', parseRegion);
  const endpoint = reader.readOptional('aws_sts_endpoint', parseEndpoint);
  const isChina = role.startsWith('arn:aws-cn:') || (region ?? '').startsWith('cn-');
  const domain = isChina ? 'amazonaws.com.cn' : 'amazonaws.com';
  const ownEndpoint = region === undefined ? `https://sts.${domain}` : `https://sts.${region}.${domain}`;
  return { region, stsEndpoint: endpoint ?? ownEndpoint, isEndpointSet: endpoint !== undefined };
}

/** The session token of earlier credentials would make the keys of a user invalid. */
function readUnset(reader: InputReader, env: ActionsRuntime['env'], isOfUser: boolean): readonly string[] {
  const unsets = reader.read('aws_unset_credentials', parseBoolean);
  const isUnset = (name: string): boolean => unsets || (isOfUser && name === 'AWS_SESSION_TOKEN');
  return credentialVariables.filter((name) => isUnset(name) && (env[name] ?? '') !== '');
}

/** With the OIDC token, a client would assume the role again without the limits. */
function isLimited({ inlinePolicy, managedPolicies, durationSeconds }: AwsSessionSettings): boolean {
  return inlinePolicy !== undefined || managedPolicies.length > 0 || durationSeconds !== undefined;
}

interface Sources {
  readonly isChaining: boolean;
  readonly usesExisting: boolean;
  readonly existingKeys: AwsKeys | undefined;
}

function reportMissing(reader: InputReader, { inputDefaults }: Runtime, sources: Sources): void {
  if (sources.usesExisting && !sources.isChaining) {
    if (sources.existingKeys !== undefined) return;
    const message =
      'is true, but AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not set, and there is no aws_role. Set one.';
    reader.report('aws_use_existing_credentials', invalidInput('aws_keys_missing', message));
    return;
  }
  const isAnySet = Object.entries(inputDefaults).some(
    ([name, fallback]) => name.startsWith('aws_') && (reader.text(name) ?? '').toLowerCase() !== fallback,
  );
  if (!isAnySet) return;
  reader.report('aws_role', invalidInput('aws_role_missing', 'has no value, but other inputs for AWS do. Set it.'));
}

/** Without keys, nothing says whose role it is. */
function reportName(reader: InputReader, { isFederated, roles: [role = ''] }: AwsSettings): void {
  if (!isFederated || !isRoleName(role)) return;
  const message = `is "${role}", the name of a role, whose account only keys say. Use the form arn:aws:iam::<account>:role/<name>.`;
  reader.report('aws_role', invalidInput('aws_role_invalid', message));
}

/** Refuses inputs whose value the sign-in would not use. */
function reportUnused(reader: InputReader, { isFederated, roles, audience, wantsPlainKey }: AwsSettings): void {
  // A role that is invalid was reported already.
  const hasRole = reader.text('aws_role') !== undefined;
  const signsAssumeRole = hasRole && (!isFederated || roles.length !== 1);
  const isUsed = {
    aws_chained_roles: hasRole,
    aws_role_session_name: hasRole,
    aws_role_duration: hasRole,
    aws_inline_policy: hasRole,
    aws_managed_policies: hasRole,
    aws_external_id: signsAssumeRole,
    aws_session_tags: signsAssumeRole,
    aws_transitive_tags: signsAssumeRole,
  };
  for (const [name, used] of Object.entries(isUsed)) {
    if (used || reader.text(name) === undefined) continue;
    refuseUnused(reader, name, hasRole ? 'roles that are assumed with keys or with another role' : 'aws_role');
  }
  if (wantsPlainKey && !hasRole) refuseUnused(reader, 'aws_plain_secret_key', 'aws_role');
  if (!isFederated && hasRole && audience !== 'sts.amazonaws.com') {
    refuseUnused(reader, 'aws_audience', 'roles that are assumed with the OIDC token');
  }
}

function refuseUnused(reader: InputReader, name: string, what: string): void {
  reader.report(
    name,
    invalidInput('aws_input_unused', `has no effect, because it applies only to ${what}. Remove it.`),
  );
}

/** The account of the last role is known before any request. */
function reportAccount(reader: InputReader, { roles, allowedAccounts }: AwsSettings): void {
  const account = accountOf(roles.at(-1) ?? '');
  if (account === '' || allowedAccounts === undefined || allowedAccounts.includes(account)) return;
  const message = `does not contain ${account}, the account of the role. Add it, or correct the role.`;
  reader.report('aws_allowed_accounts', invalidInput('aws_account_not_allowed', message));
}
