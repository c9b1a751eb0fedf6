import https from 'node:https';
import http from 'node:http';
import { AppError } from '@weir/foundation';
import { z } from 'zod';
import { guardedLookup, isForbiddenHost, type GuardedLookupOptions } from '../../adapters/guarded-lookup';
import type { ChatClient } from './chat-client';
import { RegistrationRequest, toPlainName, unusableRedirect } from './register-client';

const maxAddressLength = 512;
const maxBytes = 64 * 1024;
const timeoutMs = 5_000;

/** A chat client without an account anywhere has its description at the address that is its id. */
const ClientDocument = RegistrationRequest.extend({
  client_id: z.string(),
  // Others would prove more than this server checks.
  token_endpoint_auth_method: z.literal('none').default('none'),
});

/** Whether an id is the address of a description, in the one form that is compared: https with a path, and nothing else. */
export function isDocumentAddress(clientId: string): boolean {
  const url = clientId.length > maxAddressLength || /[?#@]/.test(clientId) ? null : URL.parse(clientId);
  return url?.protocol === 'https:' && url.pathname !== '/' && url.href === clientId;
}

/** Throws `client_unknown` for a description that is not that of the address. */
export function readClientDocument(address: string, document: unknown, now: Date): ChatClient {
  const { data } = ClientDocument.safeParse(document);
  if (data === undefined) throw documentUnusable(address, 'it is no description of a public client');
  if (data.client_id !== address) throw documentUnusable(address, 'it describes another client');
  const wrong = unusableRedirect(data.redirect_uris);
  if (wrong !== undefined) throw documentUnusable(address, 'it has a redirect address that is not permitted');
  return {
    id: address,
    name: toPlainName(data.client_name ?? ''),
    redirectAddresses: data.redirect_uris,
    createdAt: now,
    lastUsedAt: now,
  };
}

/**
 * Fetches a description of at most 64 KiB within 5 s, without redirects, and only from public addresses: the address is a
 * stranger's. Throws `client_unknown`.
 */
export async function fetchClientDocument(address: string, lookup: GuardedLookupOptions): Promise<unknown> {
  const url = new URL(address);
  if (isForbiddenHost(url, lookup.allowedNetworks)) throw documentUnusable(address, 'its server is not public');
  try {
    return JSON.parse(await get(url, lookup)) as unknown;
  } catch (error) {
    throw documentUnusable(address, 'it cannot be read', error);
  }
}

function get(url: URL, lookup: GuardedLookupOptions): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? https : http).get(
      url,
      {
        agent: false,
        headers: { accept: 'application/json' },
        signal: AbortSignal.timeout(timeoutMs),
        lookup: guardedLookup(lookup),
      },
      (response) => {
        const chunks: Buffer[] = [];
        let length = 0;
        if (response.statusCode !== 200) request.destroy(new Error(`it answered ${response.statusCode ?? 0}`));
        response.on('data', (chunk: Buffer) => {
          chunks.push(chunk);
          length += chunk.length;
          if (length > maxBytes) request.destroy(new Error('it is too large'));
        });
        response.on('error', reject);
        response.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
      },
    );
    request.on('error', reject);
  });
}

function documentUnusable(address: string, problem: string, cause?: unknown): AppError {
  const message = `The description of the chat client at ${address} cannot be used: ${problem}.`;
  return new AppError('invalid_request', message, { reason: 'client_unknown', cause });
}
