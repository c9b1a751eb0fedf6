import { randomBytes } from 'node:crypto';
import { verifyAwsSignature } from './aws-signature';
import { requireMethod, readFormBody, type FakeCall, type JsonObject } from './call';
import type { FakeAwsRole } from './fake-cloud';
import { RejectedRequest, type FakeResponse } from './responses';
import { verifyFakeToken } from './verify-token';
import type { FakeWorld } from './world';

/** The AWS Security Token Service, in its query protocol: assumes roles with OIDC tokens, and names callers. */
export async function handleAwsSts(world: FakeWorld, call: FakeCall): Promise<FakeResponse> {
  requireMethod(call, 'POST');
  const form = readFormBody(call);
  assertRequest(form.Version === '2011-06-15', 'NoSuchVersion', 'The version of the API is unknown.');
  if (form.Action === 'AssumeRoleWithWebIdentity') return assumeRole(world, form);
  if (form.Action === 'GetCallerIdentity') return nameCaller(world, call);
  throw awsRejection(400, 'InvalidAction', 'The action is unknown.');
}

const known = ['Action', 'Version', 'RoleArn', 'RoleSessionName', 'WebIdentityToken', 'DurationSeconds'];

async function assumeRole(world: FakeWorld, form: JsonObject): Promise<FakeResponse> {
  for (const name of Object.keys(form))
    assertRequest(known.includes(name), 'ValidationError', `Unknown field ${name}.`);
  const sessionName = String(form.RoleSessionName);
  assertRequest(
    /^[\w+=,.@-]{2,64}$/.test(sessionName),
    'ValidationError',
    "Value at 'roleSessionName' failed to satisfy the constraint: [\\w+=,.@-]*",
  );
  const seconds = readDuration(form.DurationSeconds);
  const role = await findTrustedRole(world, String(form.RoleArn), String(form.WebIdentityToken));
  assertRequest(
    seconds <= role.maximumSessionSeconds,
    'ValidationError',
    'The requested DurationSeconds exceeds the MaxSessionDuration set for this role.',
  );
  return issueSession(world, { role, sessionName, seconds });
}

function readDuration(text: unknown): number {
  if (text === undefined) return 3600;
  const seconds = typeof text === 'string' && /^\d{1,6}$/.test(text) ? Number(text) : 0;
  assertRequest(
    seconds >= 900 && seconds <= 43_200,
    'ValidationError',
    "Value at 'durationSeconds' must be between 900 and 43200.",
  );
  return seconds;
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

interface Session {
  readonly role: FakeAwsRole;
  readonly sessionName: string;
  readonly seconds: number;
}

function issueSession(world: FakeWorld, { role, sessionName, seconds }: Session): FakeResponse {
  const principal = `${role.arn.replace(':iam:', ':sts:').replace(':role/', ':assumed-role/')}/${sessionName}`;
  const grant = { principal, scopes: [], expiresAtSeconds: world.nowSeconds() + seconds };
  const accessKeyId = `ASIA${randomBytes(8).toString('hex').toUpperCase()}`;
  const { secret } = world.secrets.issue('aws secret key', grant);
  const { secret: sessionToken } = world.secrets.issue('aws session token', grant);
  world.awsSessions.set(accessKeyId, { secret, sessionToken, principal, expiresAtSeconds: grant.expiresAtSeconds });
  return xml(200, 'AssumeRoleWithWebIdentity', {
    Credentials: {
      AccessKeyId: accessKeyId,
      SecretAccessKey: secret,
      SessionToken: sessionToken,
      Expiration: new Date(grant.expiresAtSeconds * 1000).toISOString().replace('.000Z', 'Z'),
    },
    AssumedRoleUser: { AssumedRoleId: `AROAFAKE:${sessionName}`, Arn: principal },
  });
}

function nameCaller(world: FakeWorld, call: FakeCall): FakeResponse {
  const session = verifyAwsSignature(world, call);
  if (session === undefined) {
    throw awsRejection(403, 'SignatureDoesNotMatch', 'The request signature does not match the credentials.');
  }
  if (session.expiresAtSeconds <= world.nowSeconds()) {
    throw awsRejection(403, 'ExpiredToken', 'The security token included in the request is expired');
  }
  const account = session.principal.split(':')[4] ?? '';
  return xml(200, 'GetCallerIdentity', { Arn: session.principal, UserId: 'AROAFAKE', Account: account });
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

function assertRequest(holds: boolean, code: string, message: string): void {
  if (!holds) throw awsRejection(400, code, message);
}
