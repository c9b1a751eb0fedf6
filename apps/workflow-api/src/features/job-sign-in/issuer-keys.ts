import { AppError, readBounded } from '@weir/foundation';
import { createRemoteJwks, type FetchJson, type RemoteJwks } from '@weir/oidc-claims';
import { z } from 'zod';
import type { TrustedIssuer } from './trust-rules';

const Discovery = z.object({ issuer: z.string(), jwks_uri: z.url() });
const timeoutMs = 5000;
const maxBytes = 256 * 1024;

/** Returns the keys of an issuer, whose address is looked up at the first token. A failed look-up is tried again. */
export function createIssuerKeys({ issuer, keysUrl }: TrustedIssuer, fetch: FetchJson): () => Promise<RemoteJwks> {
  let found: Promise<RemoteJwks> | undefined;
  const find = async () => createRemoteJwks({ url: keysUrl ?? (await discover(issuer, fetch)), fetch });
  return () => {
    found ??= find().catch((error: unknown) => {
      found = undefined;
      throw error;
    });
    return found;
  };
}

async function discover(issuer: string, fetch: FetchJson): Promise<string> {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(url, { method: 'GET', headers: new Headers(), redirect: 'manual', signal });
    const body = await readBounded(response.body ?? [], maxBytes);
    if (response.status !== 200 || body === undefined) throw new Error(`The status was ${response.status}.`);
    const document = Discovery.parse(JSON.parse(Buffer.from(body).toString('utf8')));
    // Another issuer's document would name the keys of that issuer.
    if (document.issuer !== issuer) throw new Error('The document is that of another issuer.');
    return document.jwks_uri;
  } catch (cause) {
    throw new AppError('upstream_failed', `The keys of ${issuer} cannot be found.`, {
      reason: 'jwks_unavailable',
      cause,
    });
  }
}
