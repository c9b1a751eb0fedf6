import { createHash, createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

export interface SignedRequest {
  readonly method: string;
  /** The path with the query. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

interface AwsKey {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly service: string;
}

const form =
  /^AWS4-HMAC-SHA256 Credential=(?<key>\w+)\/(?<date>\d{8})\/(?<region>[\w-]+)\/(?<service>\w+)\/aws4_request, ?SignedHeaders=(?<names>[\w;-]+), ?Signature=(?<signature>[0-9a-f]{64})$/;
/** A signature without these headers proves nothing. */
const signedAlways = ['host', 'x-amz-date', 'x-amz-target'];

/** The region for which the key has signed the request (Signature Version 4); `undefined` where it has not. */
export function verifyAwsSignature(request: SignedRequest, key: AwsKey): string | undefined {
  const { headers, method, target, body } = request;
  const parts = form.exec(headers.authorization ?? '')?.groups;
  const { date = '', region = '', service = '', names = '', signature } = parts ?? {};
  const signedNames = names.split(';');
  if (parts?.key !== key.accessKeyId || service !== key.service) return undefined;
  if (!signedAlways.every((name) => signedNames.includes(name))) return undefined;
  const [path = '', query = ''] = target.split('?');
  const signed = signedNames.map((name) => `${name}:${String(headers[name]).trim()}\n`).join('');
  const canonical = [method, path, query, signed, names, sha256(body)].join('\n');
  const scope = [date, region, service, 'aws4_request'].join('/');
  const text = ['AWS4-HMAC-SHA256', String(headers['x-amz-date']), scope, sha256(canonical)].join('\n');
  const signingKey = [date, region, service, 'aws4_request'].reduce<Buffer | string>(
    hmac,
    `AWS4${key.secretAccessKey}`,
  );
  return hmac(signingKey, text).toString('hex') === signature ? region : undefined;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function hmac(key: Buffer | string, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
