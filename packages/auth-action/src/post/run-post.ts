import { removeExclusion } from './remove-exclusion';
import { removeFile } from './remove-file';
import { restoreVariables } from './restore-variables';
import {
  parseCleanUp,
  parseRevocation,
  parseVariables,
  stateNames,
  type CleanUpState,
  type RevocationState,
} from './state';

export interface PostOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Standard output, which the runner reads logs and workflow commands from. */
  readonly write: (text: string) => void;
  readonly revocationTimeoutMs: number;
}

/** Cleans up what the state of main names. Never fails the job. */
export async function runPost({ env, write, revocationTimeoutMs }: PostOptions): Promise<void> {
  const warn = (text: string): void => write(`::warning::${escapeData(text)}\n`);
  const info = (text: string): void => write(`${text.replaceAll(/[\r\n]/g, ' ')}\n`);
  const debug = (text: string): void => write(`::debug::${escapeData(text)}\n`);
  const revoke = async (state: RevocationState): Promise<string | undefined> => {
    try {
      // Loaded on demand: most jobs revoke nothing, and the transport is much larger than the rest of post.
      const { revokeToken } = await import('../revoke.js');
      await revokeToken(state, { timeoutMs: revocationTimeoutMs, debug });
      return undefined;
    } catch (error) {
      const { message } = Object(error) as { readonly message?: unknown };
      return `The access token was not revoked: ${String(message)} It remains valid until it expires.`;
    }
  };
  const cleanUpText = env[`STATE_${stateNames.cleanUp}`] ?? '';
  const revocationText = env[`STATE_${stateNames.revocation}`] ?? '';

  if (cleanUpText === '') info('There is no credentials file to remove.');
  else await cleanUp(parseCleanUp(cleanUpText), { info, warn });

  const variablesText = env[`STATE_${stateNames.variables}`] ?? '';
  if (variablesText !== '') {
    const variables = parseVariables(variablesText);
    const warning = variables === undefined ? unreadableState : restoreVariables(variables, env.GITHUB_ENV);
    if (warning === undefined) info('The environment variables have their previous values.');
    else warn(warning);
  }

  if (revocationText === '') return;
  const revocation = parseRevocation(revocationText);
  const warning = revocation === undefined ? unreadableState : await revoke(revocation);
  if (warning === undefined) info('The access token was revoked.');
  else warn(warning);
}

const unreadableState = 'The saved state of the main step is invalid, so nothing was cleaned up.';

interface Lines {
  readonly info: (text: string) => void;
  readonly warn: (text: string) => void;
}

async function cleanUp(state: CleanUpState | undefined, { info, warn }: Lines): Promise<void> {
  if (state === undefined) {
    warn(unreadableState);
    return;
  }
  const { file, exclusion } = state;
  const removal = await removeFile(file);
  if (removal.kind === 'retained') {
    // The exclude line is retained too, so that the file is not committed.
    warn(`The credentials file ${file.name} was not removed: ${removal.reason}.`);
    return;
  }
  const missing = 'was already removed by a later step, for example by a checkout';
  info(`The credentials file ${file.name} ${removal.kind === 'missing' ? missing : 'was removed'}.`);
  const warning = exclusion === undefined ? undefined : removeExclusion(exclusion);
  if (warning !== undefined) warn(warning);
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
