import { createHash, createHmac } from 'node:crypto';
import type { FakeCall } from './call';
import type { FakeAwsSession, FakeWorld } from './world';

const authorizationForm =
  /^AWS4-HMAC-SHA256 Credential=(?<key>\w+)\/(?<date>\d{8})\/(?<region>[\w-]+)\/(?<service>\w+)\/aws4_request, ?SignedHeaders=(?<names>[\w;-]+), ?Signature=(?<signature>[0-9a-f]{64})$/;

/** The session whose secret key signed the request (Signature Version 4); `undefined` if no session did. */
export function verifyAwsSignature(world: FakeWorld, call: FakeCall): FakeAwsSession | undefined {
  const { headers, method, body } = call;
  const parts = authorizationForm.exec(headers.authorization ?? '')?.groups;
  const { key = '', date = '', region = '', service = '', names = '', signature } = parts ?? {};
  const session = world.awsSessions.get(key);
  if (session === undefined || headers['x-amz-security-token'] !== session.sessionToken) return undefined;
  const [path = '', query = ''] = call.target.split('?');
  const signed = names.split(';').map((name) => `${name}:${String(headers[name]).trim().replaceAll(/ +/g, ' ')}\n`);
  const canonical = [method, path, query, signed.join(''), names, sha256(body)].join('\n');
  const scope = [date, region, service, 'aws4_request'].join('/');
  const text = ['AWS4-HMAC-SHA256', String(headers['x-amz-date']), scope, sha256(canonical)].join('\n');
  const signingKey = [date, region, service, 'aws4_request'].reduce<Buffer | string>(hmac, `AWS4${session.secret}`);
  return hmac(signingKey, text).toString('hex') === signature ? session : undefined;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function hmac(key: Buffer | string, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
