import { existsSync } from 'node:fs';
import { replaceAssertion, type CliAccount } from '../azure/cli-store';
import { readExpiryMs } from './read-expiry';
import { replaceToken } from './token-folder';

/** The configuration that main gives the refreshing process. It contains no secret. */
export interface RefreshConfig {
  readonly folder: string;
  readonly files: readonly { readonly name: string; readonly audience: string }[];
  readonly userAgent: string;
  /** The account of the Azure CLI, which keeps a token of its own. */
  readonly cli?: CliAccount | undefined;
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
  let cliToken: string | undefined;
  while (existsSync(config.folder) && failures < maxFailures) {
    if (now() >= refreshAt) {
      try {
        const refreshed = await refreshAll(config, requestOidcToken, now());
        refreshAt = refreshed.refreshAt;
        cliToken = refreshed.azureToken;
        failures = 0;
      } catch {
        failures += 1;
        refreshAt = now() + retryMs;
      }
    }
    // A file that the CLI is writing is tried again, and never ends the renewal of the token files.
    if (config.cli !== undefined && cliToken !== undefined && renewCli(config.cli, cliToken)) cliToken = undefined;
    await sleep(pollMs);
  }
}

interface Refreshed {
  /** When to refresh again. */
  readonly refreshAt: number;
  readonly azureToken: string | undefined;
}

async function refreshAll(
  { folder, files }: RefreshConfig,
  requestOidcToken: RefreshOptions['requestOidcToken'],
  now: number,
): Promise<Refreshed> {
  const times: number[] = [];
  let azureToken: string | undefined;
  for (const { name, audience } of files) {
    const token = await requestOidcToken(audience);
    replaceToken(folder, name, token);
    if (name === 'azure') azureToken = token;
    times.push(chooseRefreshTime(token, now));
  }
  return { refreshAt: Math.min(...times), azureToken };
}

/** Whether it is done, also because the CLI has no such account. */
function renewCli(cli: CliAccount, token: string): boolean {
  try {
    replaceAssertion(cli, token);
    return true;
  } catch {
    return false;
  }
}

/** Half of the remaining lifetime, and a minute for a token that does not say it. */
export function chooseRefreshTime(token: string, now: number): number {
  const expiresAt = readExpiryMs(token) ?? now + 120_000;
  return now + Math.max(0, expiresAt - now) / 2;
}
