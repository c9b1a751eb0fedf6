import { createHash, createHmac } from 'node:crypto';
import type { AwsKeys } from '../inputs/cloud-settings';

export interface SigningScope {
  readonly keys: AwsKeys;
  readonly region: string;
  /** The name in the scope: `sts`. */
  readonly service: string;
  /** Milliseconds since 1970. AWS accepts a signature for some minutes. */
  readonly now: number;
}

export interface UnsignedRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The headers of a POST with Signature Version 4. The URL has no query. */
export function signRequest(
  { url, headers, body }: UnsignedRequest,
  { keys, region, service, now }: SigningScope,
): Readonly<Record<string, string>> {
  const time = new Date(now).toISOString().replaceAll(/[:-]|\.\d+/g, '');
  const added = {
    'X-Amz-Date': time,
    ...(keys.sessionToken !== undefined && { 'X-Amz-Security-Token': keys.sessionToken }),
  };
  const signed = Object.entries({ ...headers, ...added, Host: url.host })
    .map(([name, value]) => [name.toLowerCase(), value.trim().replaceAll(/ +/g, ' ')] as const)
    .toSorted(([left], [right]) => (left < right ? -1 : 1));
  const names = signed.map(([name]) => name).join(';');
  const lines = signed.map(([name, value]) => `${name}:${value}\n`).join('');
  const canonical = ['POST', url.pathname, '', lines, names, hash(body)].join('\n');
  const scope = [time.slice(0, 8), region, service, 'aws4_request'];
  const text = ['AWS4-HMAC-SHA256', time, scope.join('/'), hash(canonical)].join('\n');
  const key = scope.reduce<Buffer | string>(hmac, `AWS4${keys.secretAccessKey}`);
  const credential = `Credential=${keys.accessKeyId}/${scope.join('/')}`;
  const signature = hmac(key, text).toString('hex');
  return {
    ...headers,
    ...added,
    Authorization: `AWS4-HMAC-SHA256 ${credential}, SignedHeaders=${names}, Signature=${signature}`,
  };
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function hmac(key: Buffer | string, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
