import { cleanUp, type Log } from './clean-up';
import { removeConfiguration } from './remove-configuration';
import { removeTokenFolder } from './remove-token-folder';
import { restoreVariables } from './restore-variables';
import { signOutOfRegistries } from './sign-out-of-registries';
import {
  parseCleanUp,
  parseDocker,
  parseGcloud,
  parseRevocation,
  parseTokenFolder,
  parseVariables,
  stateNames,
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
  const undo = async <T>(name: string, { parse, act, done }: Undo<T>): Promise<void> => {
    const text = env[`STATE_${name}`] ?? '';
    if (text === '') return;
    const state = parse(text);
    const failure = state === undefined ? unreadableState : await act(state);
    if (failure === undefined) info(done);
    else warning(failure);
  };

  const cleanUpText = env[`STATE_${stateNames.cleanUp}`] ?? '';
  if (cleanUpText === '') info('There is no credentials file to remove.');
  else await cleanUpSaved(cleanUpText, { info, warning });
  await undo(stateNames.tokenFolder, {
    parse: parseTokenFolder,
    act: ({ folder }) => removeTokenFolder(folder),
    done: 'The OIDC tokens were removed.',
  });
  await undo(stateNames.docker, { parse: parseDocker, act: signOutOfRegistries, done: 'Docker is signed out.' });
  await undo(stateNames.gcloud, {
    parse: parseGcloud,
    act: removeConfiguration,
    done: 'The gcloud configuration was removed.',
  });
  await undo(stateNames.variables, {
    parse: parseVariables,
    act: (variables) => restoreVariables(variables, env.GITHUB_ENV),
    done: 'The environment variables have their previous values.',
  });
  await undo(stateNames.revocation, { parse: parseRevocation, act: revoke, done: 'The access token was revoked.' });
}

interface Undo<T> {
  readonly parse: (text: string) => T | undefined;
  /** Returns a warning on failure. */
  readonly act: (state: T) => string | undefined | Promise<string | undefined>;
  readonly done: string;
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
