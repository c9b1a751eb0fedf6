import { cleanUp, type Log } from './clean-up';
import { restoreVariables } from './restore-variables';
import { parseCleanUp, parseRevocation, parseVariables, stateNames, type RevocationState } from './state';

export interface PostOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Standard output, which the runner reads logs and workflow commands from. */
  readonly write: (text: string) => void;
  readonly revocationTimeoutMs: number;
}

/** Cleans up what the state of main names. Never fails the job. */
export async function runPost({ env, write, revocationTimeoutMs }: PostOptions): Promise<void> {
  const warning = (text: string): void => write(`::warning::${escapeData(text)}\n`);
  const info = (text: string): void => write(`${text.replaceAll(/[\r\n]/g, ' ')}\n`);
  const debug = (text: string): void => write(`::debug::${escapeData(text)}\n`);
  const revoke = async (state: RevocationState): Promise<string | undefined> => {
    try {
      // Loaded on demand: most jobs revoke nothing, and the transport is much larger than the rest of post.
      const { revokeToken } = await import('../revoke.js');
      await revokeToken(state, { timeoutMs: revocationTimeoutMs, debug, env });
      return undefined;
    } catch (error) {
      const { message } = Object(error) as { readonly message?: unknown };
      return `The access token was not revoked: ${String(message)} It remains valid until it expires.`;
    }
  };
  const cleanUpText = env[`STATE_${stateNames.cleanUp}`] ?? '';
  const revocationText = env[`STATE_${stateNames.revocation}`] ?? '';

  if (cleanUpText === '') info('There is no credentials file to remove.');
  else await cleanUpSaved(cleanUpText, { info, warning });

  const variablesText = env[`STATE_${stateNames.variables}`] ?? '';
  if (variablesText !== '') {
    const variables = parseVariables(variablesText);
    const failure = variables === undefined ? unreadableState : restoreVariables(variables, env.GITHUB_ENV);
    if (failure === undefined) info('The environment variables have their previous values.');
    else warning(failure);
  }

  if (revocationText === '') return;
  const revocation = parseRevocation(revocationText);
  const failure = revocation === undefined ? unreadableState : await revoke(revocation);
  if (failure === undefined) info('The access token was revoked.');
  else warning(failure);
}

async function cleanUpSaved(text: string, log: Log): Promise<void> {
  const state = parseCleanUp(text);
  if (state === undefined) log.warning(unreadableState);
  else await cleanUp(state, log);
}

const unreadableState = 'The saved state of the main step is invalid, so nothing was cleaned up.';

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
