import { describeMessage } from '../runner/describe-error';
import type { PostLog } from '../runner/post-log';
import { removeConfiguration } from '../publish/gcloud/remove-configuration';
import { removeProfile } from '../publish/profiles/remove-profile';
import { removeTokenFolder } from '../publish/clouds/remove-token-folder';
import { restoreVariables } from './restore-variables';
import { signOutOfRegistries } from '../publish/docker/sign-out-of-registries';
import {
  parseAzure,
  parseDocker,
  parseGcloud,
  parseProfile,
  parseRevocation,
  parseTokenFolder,
  parseVariables,
  stateNames,
  unreadableState,
  type AzureState,
  type RevocationState,
} from '../runner/state';

export interface UndoOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: PostLog;
  readonly revocationTimeoutMs: number;
}

/** Undoes everything that the state of main names, except for the credentials file. Never throws. */
export async function undoSaved({ env, log, revocationTimeoutMs }: UndoOptions): Promise<void> {
  const revoke = async (state: RevocationState): Promise<string | undefined> => {
    try {
      // It is loaded on demand: most of these jobs revoke nothing, and the transport is large.
      const { revokeToken } = await import('./revoke-token.js');
      await revokeToken(state, { timeoutMs: revocationTimeoutMs, debug: (text) => log.debug(text), env });
      return undefined;
    } catch (error) {
      return `The access token was not revoked: ${describeMessage(error)} It remains valid until it expires.`;
    }
  };
  const signOut = async (state: AzureState): Promise<string | undefined> => {
    try {
      // It is loaded on demand, too: few jobs use the tools of Azure.
      const tools = await import('../publish/azure/index.js');
      return await tools.signOut(state, env);
    } catch (error) {
      return `The tools of Azure are still signed in: ${describeMessage(error)}`;
    }
  };
  const undo = async <T>(name: string, { parse, act, done }: Undo<T>): Promise<void> => {
    const text = env[`STATE_${name}`] ?? '';
    if (text === '') return;
    const state = parse(text);
    const failure = state === undefined ? unreadableState : await act(state);
    if (failure === undefined) log.info(done);
    else log.warning(failure);
  };

  await undo(stateNames.tokenFolder, {
    parse: parseTokenFolder,
    act: ({ folder }) => removeTokenFolder(folder),
    done: 'The OIDC tokens were removed.',
  });
  // After the tokens, because the process that renews them writes to the accounts of the CLI.
  await undo(stateNames.azure, { parse: parseAzure, act: signOut, done: 'The tools of Azure are signed out.' });
  await undo(stateNames.packages, {
    parse: parseTokenFolder,
    act: ({ folder }) => removeTokenFolder(folder),
    done: 'The files for registries of packages were removed.',
  });
  await undo(stateNames.docker, { parse: parseDocker, act: signOutOfRegistries, done: 'Docker is signed out.' });
  await undo(stateNames.gcloud, {
    parse: parseGcloud,
    act: removeConfiguration,
    done: 'The gcloud configuration was removed.',
  });
  await undo(stateNames.profile, {
    parse: parseProfile,
    act: removeProfile,
    done: 'The profile of AWS has its previous state.',
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
