import { createHash, createHmac } from 'node:crypto';
import type { FakeCall } from './call';
import type { FakeAwsKeys, FakeWorld } from './world';

const authorizationForm =
  /^AWS4-HMAC-SHA256 Credential=(?<key>\w+)\/(?<date>\d{8})\/(?<region>[\w-]+)\/(?<service>[\w-]+)\/aws4_request, ?SignedHeaders=(?<names>[\w;-]+), ?Signature=(?<signature>[0-9a-f]{64})$/;

/**
 * The keys that signed the request for the service (Signature Version 4); `undefined` if none did. Every header that AWS
 * requires must be among the signed ones.
 */
export function verifyAwsSignature(world: FakeWorld, call: FakeCall, expected: string): FakeAwsKeys | undefined {
  const { headers, method, body } = call;
  const parts = authorizationForm.exec(headers.authorization ?? '')?.groups;
  const { key = '', date = '', region = '', service = '', names = '', signature } = parts ?? {};
  const keys = world.awsKeys.get(key);
  if (keys === undefined || headers['x-amz-security-token'] !== keys.sessionToken) return undefined;
  const time = String(headers['x-amz-date']);
  const signedNames = names.split(';');
  const required = Object.keys(headers).filter((name) => name === 'host' || name.startsWith('x-amz-'));
  const isComplete = required.every((name) => signedNames.includes(name)) && required.includes('x-amz-date');
  if (service !== expected || !isComplete || !time.startsWith(`${date}T`)) return undefined;
  const [path = '', query = ''] = call.target.split('?');
  const signed = signedNames.map((name) => `${name}:${String(headers[name]).trim().replaceAll(/ +/g, ' ')}\n`);
  const canonical = [method, path, query, signed.join(''), names, sha256(body)].join('\n');
  const scope = [date, region, service, 'aws4_request'].join('/');
  const text = ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n');
  const signingKey = [date, region, service, 'aws4_request'].reduce<Buffer | string>(hmac, `AWS4${keys.secret}`);
  return hmac(signingKey, text).toString('hex') === signature ? keys : undefined;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function hmac(key: Buffer | string, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
