import { AppError, isAppError } from '@weir/foundation';
import { accountOf, completeRole } from '../inputs/aws-texts';
import type { AwsKeys, AwsSettings } from '../inputs/cloud-settings';
import type { Variable } from '../report/variables';
import { signInToRegistries } from './aws-registries';
import { createAwsSts, type AwsSession, type AwsSts } from './aws-sts';
import type { CloudContext, CloudSignIn, CloudToken } from './cloud-sign-in';

/** The shortest session, for roles that only lead to the next one. */
const shortestSeconds = 900;
/** A quarter of the keys of AWS have no special characters, so that not even one in a million jobs needs more. */
const maxPlainKeyAttempts = 50;

/**
 * Assumes the roles in turn, or proves the keys. With the OIDC token and one role, clients assume it again with the token
 * file, so that their credentials are renewed for as long as the job runs.
 */
export async function signInToAws(context: CloudContext, settings: AwsSettings): Promise<CloudSignIn> {
  const { allowedAccounts, profile, region } = settings;
  const sts = createAwsSts(context, settings);
  const existing = await findExisting(sts, settings);
  const { session, oidcToken } = existing ?? (await signIn(context, sts, settings));
  const isNew = existing === undefined;
  const account = accountOf(session.arn);
  if (settings.masksAccount) for (const text of [account, session.arn]) context.mask(text);
  if (allowedAccounts !== undefined && !allowedAccounts.includes(account)) throw notAllowed(account);
  const token = oidcToken === undefined || !settings.handsOutToken ? undefined : toToken(settings, oidcToken);
  return {
    cloud: 'AWS',
    principal: session.arn,
    token,
    variables: settings.setsVariables
      ? listVariables(settings, isNew, token === undefined ? session.keys : undefined)
      : [],
    outputs: [
      ['aws_account_id', account],
      ['aws_arn', session.arn],
      ...(settings.outputsSession ? listOutputs(session) : []),
    ],
    registries: await signInToRegistries(context, session.keys, settings.registries),
    profile: profile && { ...profile, region, keys: session.keys },
  };
}

interface SignedIn {
  readonly session: AwsSession;
  /** If the first role was assumed with it. */
  readonly oidcToken: string | undefined;
}

/** The keys of the environment, if AWS accepts them and their account is allowed. */
async function findExisting(sts: AwsSts, settings: AwsSettings): Promise<SignedIn | undefined> {
  const { existingKeys, allowedAccounts, keys, roles } = settings;
  if (existingKeys === undefined) return undefined;
  const hasOthers = keys !== undefined || roles.length > 0;
  try {
    const session = await sts.nameCaller(existingKeys);
    const isAllowed = allowedAccounts?.includes(accountOf(session.arn)) ?? true;
    return isAllowed || !hasOthers ? { session, oidcToken: undefined } : undefined;
  } catch (error) {
    if (hasOthers && isAppError(error) && error.reason === 'aws_call_refused') return undefined;
    throw error;
  }
}

async function signIn(context: CloudContext, sts: AwsSts, settings: AwsSettings): Promise<SignedIn> {
  const { audience, keys, roles, session: last, wantsPlainKey } = settings;
  const limits = (index: number) =>
    index === roles.length - 1
      ? last
      : {
          ...last,
          durationSeconds: shortestSeconds,
          inlinePolicy: undefined,
          managedPolicies: [],
          externalId: undefined,
          tags: [],
          transitiveTags: [],
        };
  const oidcToken = keys === undefined ? await context.requestOidcToken(audience) : undefined;
  // The caller is named first: its refusal says that the keys are wrong, that of a role can have other causes.
  let session = keys && (await sts.nameCaller(keys));
  for (const [index, role] of roles.entries()) {
    const caller = session;
    const assume = (): Promise<AwsSession> =>
      caller === undefined
        ? sts.assumeWithToken(role, limits(index), String(oidcToken))
        : sts.assume(completeRole(role, caller.arn), limits(index), caller.keys);
    session = wantsPlainKey && index === roles.length - 1 ? await assumeWithPlainKey(assume) : await assume();
  }
  if (session === undefined) throw new Error('The settings have neither keys nor roles.');
  return { session, oidcToken };
}

/** AWS chooses the keys, so the role is assumed until one has no special characters. */
async function assumeWithPlainKey(assume: () => Promise<AwsSession>): Promise<AwsSession> {
  for (let attempt = 1; attempt <= maxPlainKeyAttempts; attempt += 1) {
    const session = await assume();
    if (/^[a-z0-9]+$/i.test(session.keys.secretAccessKey)) return session;
  }
  throw new AppError('unavailable', `None of ${maxPlainKeyAttempts} sessions of AWS has a plain secret access key.`, {
    reason: 'aws_plain_key_missing',
  });
}

function notAllowed(account: string): AppError {
  return new AppError(
    'forbidden',
    `The account ${account} of the credentials for AWS is not in aws_allowed_accounts.`,
    {
      reason: 'aws_account_not_allowed',
      details: { account },
    },
  );
}

function toToken({ roles, audience, session }: AwsSettings, oidcToken: string): CloudToken {
  return {
    fileName: 'aws',
    audience,
    oidcToken,
    output: 'aws_web_identity_token_file',
    variables: (file) => [
      ['AWS_ROLE_ARN', roles[0] ?? ''],
      ['AWS_ROLE_SESSION_NAME', session.name],
      ['AWS_WEB_IDENTITY_TOKEN_FILE', file],
    ],
  };
}

/** `keys` are those that later steps get in variables. What the environment has already is not set again. */
function listVariables(settings: AwsSettings, isNew: boolean, keys: AwsKeys | undefined): readonly Variable[] {
  const { region, isEndpointSet, stsEndpoint, profile, unsetVariables } = settings;
  const variables = new Map<string, string>(isNew ? unsetVariables.map((name) => [name, '']) : []);
  if (isNew && keys !== undefined) {
    variables.set('AWS_ACCESS_KEY_ID', keys.accessKeyId);
    variables.set('AWS_SECRET_ACCESS_KEY', keys.secretAccessKey);
    if (keys.sessionToken !== undefined) variables.set('AWS_SESSION_TOKEN', keys.sessionToken);
  }
  if (region !== undefined) for (const name of ['AWS_REGION', 'AWS_DEFAULT_REGION']) variables.set(name, region);
  if (isEndpointSet) variables.set('AWS_ENDPOINT_URL_STS', stsEndpoint);
  if (profile !== undefined) variables.set('AWS_PROFILE', profile.name);
  return [...variables];
}

function listOutputs({ keys, expiration }: AwsSession): readonly Variable[] {
  return [
    ['aws_access_key_id', keys.accessKeyId],
    ['aws_secret_access_key', keys.secretAccessKey],
    ...(keys.sessionToken === undefined ? [] : [['aws_session_token', keys.sessionToken] as const]),
    ...(expiration === undefined ? [] : [['aws_expiration', expiration] as const]),
  ];
}
