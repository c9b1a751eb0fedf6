import { randomBytes } from 'node:crypto';
import { readSessionRequest, type SessionRequest } from './aws-session-request';
import { verifyAwsSignature } from './aws-signature';
import { requireMethod, readFormBody, type FakeCall, type JsonObject } from './call';
import type { FakeAwsRole } from './fake-cloud';
import { RejectedRequest, type FakeResponse } from './responses';
import { verifyFakeToken } from './verify-token';
import type { FakeAwsKeys, FakeWorld } from './world';

/** The AWS Security Token Service, in its query protocol: assumes roles with OIDC tokens and keys, and names callers. */
export async function handleAwsSts(world: FakeWorld, call: FakeCall): Promise<FakeResponse> {
  requireMethod(call, 'POST');
  const form = readFormBody(call);
  if (form.Version !== '2011-06-15') throw awsRejection(400, 'NoSuchVersion', 'The version of the API is unknown.');
  switch (form.Action) {
    case 'AssumeRoleWithWebIdentity':
      return assumeRoleWithToken(world, form);
    case 'AssumeRole':
      return assumeRole(world, form, findCaller(world, call));
    case 'GetCallerIdentity':
      return nameCaller(findCaller(world, call));
    default:
      throw awsRejection(400, 'InvalidAction', 'The action is unknown.');
  }
}

async function assumeRoleWithToken(world: FakeWorld, form: JsonObject): Promise<FakeResponse> {
  const request = readSessionRequest(form, undefined, invalid);
  const role = await findTrustedRole(world, request.roleArn, String(form.WebIdentityToken));
  return issueSession(world, { role, request, action: 'AssumeRoleWithWebIdentity' });
}

function assumeRole(world: FakeWorld, form: JsonObject, caller: FakeAwsKeys): FakeResponse {
  const request = readSessionRequest(form, caller, invalid);
  const role = world.awsRoles.find(({ arn }) => arn === request.roleArn);
  const isTrusted = role?.callers?.test(caller.principal) === true && role.externalId === request.externalId;
  if (role === undefined || !isTrusted) throw denied(caller, 'sts:AssumeRole', request.roleArn);
  const isTagged = Object.keys(request.tags).length > 0;
  if (isTagged && role.allowsTags === false) throw denied(caller, 'sts:TagSession', request.roleArn);
  if (caller.sessionToken !== undefined && request.seconds > 3600) {
    throw invalid('The requested DurationSeconds exceeds the 1 hour session limit for roles assumed by role chaining');
  }
  return issueSession(world, { role, request, action: 'AssumeRole' });
}

async function findTrustedRole(world: FakeWorld, arn: string, token: string): Promise<FakeAwsRole> {
  const { claims, refusal } = await verifyFakeToken(world, token, {
    keys: ['issuer'],
    issuer: world.issuer,
    audience: world.awsRoles.map(({ audience }) => audience),
  });
  if (refusal === 'token_expired') throw awsRejection(400, 'ExpiredTokenException', 'Token expired.');
  if (refusal === 'audience_mismatch') throw awsRejection(400, 'InvalidIdentityToken', 'Incorrect token audience');
  if (refusal !== undefined) throw awsRejection(400, 'InvalidIdentityToken', `The token is invalid (${refusal}).`);
  const role = world.awsRoles.find((candidate) => candidate.arn === arn);
  // STS does not distinguish a role that does not exist from one that does not trust the caller.
  if (role === undefined || !role.subject.test(String(claims.sub)) || claims.aud !== role.audience) {
    throw awsRejection(403, 'AccessDenied', 'Not authorized to perform sts:AssumeRoleWithWebIdentity');
  }
  return role;
}

interface Issue {
  readonly role: FakeAwsRole;
  readonly request: SessionRequest;
  readonly action: string;
}

function issueSession(world: FakeWorld, { role, request, action }: Issue): FakeResponse {
  const { sessionName, seconds, inlinePolicy, managedPolicies, tags, transitiveTags } = request;
  if (seconds > role.maximumSessionSeconds) {
    throw invalid('The requested DurationSeconds exceeds the MaxSessionDuration set for this role.');
  }
  // The ARN of a session has no path.
  const [, before = '', name = ''] = /^(arn:[^:]+):iam:(?<rest>.*)$/.exec(role.arn) ?? [];
  const account = name.split(':')[1] ?? '';
  const principal = `${before}:sts::${account}:assumed-role/${role.arn.split('/').at(-1) ?? ''}/${sessionName}`;
  const expiresAtSeconds = world.nowSeconds() + seconds;
  const grant = { principal, scopes: [], expiresAtSeconds };
  const accessKeyId = `ASIA${randomBytes(8).toString('hex').toUpperCase()}`;
  const isPlain = world.secrets.ofKind('aws session token').length >= (role.plainKeyAfter ?? Infinity);
  const { secret } = isPlain
    ? world.secrets.add('aws secret key', randomBytes(20).toString('hex'), grant)
    : world.secrets.issue('aws secret key', grant);
  const { secret: sessionToken } = world.secrets.issue('aws session token', grant);
  const granted = { principal, expiresAtSeconds, inlinePolicy, managedPolicies, tags, transitiveTags };
  world.awsKeys.set(accessKeyId, { accessKeyId, secret, sessionToken, ...granted });
  return xml(200, action, {
    Credentials: {
      AccessKeyId: accessKeyId,
      SecretAccessKey: secret,
      SessionToken: sessionToken,
      Expiration: new Date(expiresAtSeconds * 1000).toISOString().replace('.000Z', 'Z'),
    },
    AssumedRoleUser: { AssumedRoleId: `AROAFAKE:${sessionName}`, Arn: principal },
  });
}

function findCaller(world: FakeWorld, call: FakeCall): FakeAwsKeys {
  const keys = verifyAwsSignature(world, call, 'sts');
  if (keys === undefined) {
    throw awsRejection(403, 'SignatureDoesNotMatch', 'The request signature does not match the credentials.');
  }
  if (keys.expiresAtSeconds <= world.nowSeconds()) {
    throw awsRejection(403, 'ExpiredToken', 'The security token included in the request is expired');
  }
  return keys;
}

function nameCaller({ principal }: FakeAwsKeys): FakeResponse {
  const account = principal.split(':')[4] ?? '';
  return xml(200, 'GetCallerIdentity', { Arn: principal, UserId: 'AROAFAKE', Account: account });
}

interface XmlFields {
  readonly [name: string]: string | XmlFields;
}

function xml(status: number, action: string, result: XmlFields): FakeResponse {
  const body = element(`${action}Response`, {
    [`${action}Result`]: result,
    ResponseMetadata: { RequestId: '00000000-0000-0000-0000-000000000000' },
  });
  return { status, headers: { 'content-type': 'text/xml' }, body };
}

function invalid(message: string): RejectedRequest {
  return awsRejection(400, 'ValidationError', message);
}

function denied({ principal }: FakeAwsKeys, action: string, resource: string): RejectedRequest {
  const message = `User: ${principal} is not authorized to perform: ${action} on resource: ${resource}`;
  return awsRejection(403, 'AccessDenied', message);
}

function awsRejection(status: number, code: string, message: string): RejectedRequest {
  const body = element('ErrorResponse', {
    Error: { Type: 'Sender', Code: code, Message: message },
    RequestId: '00000000-0000-0000-0000-000000000000',
  });
  return new RejectedRequest({ status, headers: { 'content-type': 'text/xml' }, body });
}

function element(name: string, content: string | XmlFields): string {
  const inner =
    typeof content === 'string'
      ? content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
      : Object.entries(content)
          .map(([child, value]) => element(child, value))
          .join('');
  return `<${name}>${inner}</${name}>`;
}
