import { existsSync } from 'node:fs';
import { readExpiryMs } from './read-expiry';
import { replaceToken } from './token-folder';

/** The configuration that main gives the refreshing process. It contains no secret. */
export interface RefreshConfig {
  readonly folder: string;
  readonly files: readonly { readonly name: string; readonly audience: string }[];
  readonly userAgent: string;
  /** Milliseconds since 1970. */
  readonly refreshAt: number;
}

export interface RefreshOptions {
  readonly config: RefreshConfig;
  readonly requestOidcToken: (audience: string) => Promise<string>;
  readonly now: () => number;
  readonly sleep: (milliseconds: number) => Promise<unknown>;
}

const pollMs = 500;
const retryMs = 10_000;
const maxFailures = 60;

/**
 * Replaces the tokens at half of their lifetime until post removes the folder. Gives up after ten minutes of failures:
 * then the job has ended without post.
 */
export async function refreshTokens({ config, requestOidcToken, now, sleep }: RefreshOptions): Promise<void> {
  let { refreshAt } = config;
  let failures = 0;
  while (existsSync(config.folder) && failures < maxFailures) {
    if (now() >= refreshAt) {
      try {
        refreshAt = await refreshAll(config, requestOidcToken, now());
        failures = 0;
      } catch {
        failures += 1;
        refreshAt = now() + retryMs;
      }
    }
    await sleep(pollMs);
  }
}

/** Returns when to refresh again. */
async function refreshAll(
  { folder, files }: RefreshConfig,
  requestOidcToken: RefreshOptions['requestOidcToken'],
  now: number,
): Promise<number> {
  const times: number[] = [];
  for (const { name, audience } of files) {
    const token = await requestOidcToken(audience);
    replaceToken(folder, name, token);
    times.push(chooseRefreshTime(token, now));
  }
  return Math.min(...times);
}

/** Half of the remaining lifetime, and a minute for a token that does not say it. */
export function chooseRefreshTime(token: string, now: number): number {
  const expiresAt = readExpiryMs(token) ?? now + 120_000;
  return now + Math.max(0, expiresAt - now) / 2;
}
