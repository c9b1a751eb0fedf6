import { codeOf } from './remove-file';
import type { RevocationState } from './state';

/**
 * Asks the cloud to take the token back. Directly, also where a proxy is set: the HTTP stack for proxies weighs many
 * times what the rest of post does. Answers with a warning where it fails, after the time given at the latest.
 */
export async function revokeToken({ url, token }: RevocationState, timeoutMs: number): Promise<string | undefined> {
  try {
    const status = await post(new URL(url), new URLSearchParams({ token }).toString(), timeoutMs);
    return status === 200 ? undefined : failed(`status ${status}`);
  } catch (error) {
    return failed(codeOf(error));
  }
}

const failed = (why: string): string => `The access token was not revoked (${why}); it ends by itself in time.`;

async function post(url: URL, body: string, timeoutMs: number): Promise<number | undefined> {
  // Main lets http through for this machine only; loaded here, as most jobs revoke nothing.
  const isLocal = url.protocol === 'http:' && /^(?:127(?:\.\d{1,3}){3}|\[::1\]|localhost)$/.test(url.hostname);
  const { request } = isLocal ? await import('node:http') : await import('node:https');
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded', 'Content-Length': Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(timeoutMs);
    const outgoing = request(url, { method: 'POST', headers, agent: false, signal }, (response) => {
      // The status says it all, and an answer without an end would keep the process.
      response.destroy();
      resolve(response.statusCode);
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
