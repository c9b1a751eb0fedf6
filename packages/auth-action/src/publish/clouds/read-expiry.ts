import { parseJsonObject } from '../../runner/json-object';

/** The `exp` claim in milliseconds since 1970, without verification; `undefined` without such a claim. */
export function readExpiryMs(token: string): number | undefined {
  const [, payload = ''] = token.split('.');
  const exp = parseJsonObject(Buffer.from(payload, 'base64url').toString('utf8'))?.exp;
  return typeof exp === 'number' ? exp * 1000 : undefined;
}
