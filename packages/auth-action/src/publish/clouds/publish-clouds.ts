import path from 'node:path';
import { AppError } from '@weir/foundation';
import { loadPart } from '../../runner/load-part';
import type { ActionsRuntime } from '../../runner/actions-runtime';
import { removeTokenFolder } from './remove-token-folder';
import { formatState, stateNames } from '../../runner/state';
import { chooseVariables, type Variable } from '../../report/variables';
import type { StepSettings } from '../../inputs/step-settings';
import { chooseRefreshTime, type RefreshConfig } from './refresh-tokens';
import type { CloudSignIn, CloudToken } from '../../clouds/cloud-sign-in';
import { findCliAccount, type CliAccount } from '../azure/cli-store';
import { publishProfile } from '../profiles/publish-profile';
import { removeProfile } from '../profiles/remove-profile';
import { createTokenFolder } from './token-folder';

export interface PublishCloudsOptions {
  readonly runtime: ActionsRuntime;
  readonly step: StepSettings;
  readonly userAgent: string;
  readonly now: () => number;
  readonly randomBytes: (bytes: number) => Uint8Array;
  readonly startRefresher: (config: RefreshConfig) => Promise<void>;
}

/** The provided credentials, before the variables are set. */
export interface PublishedClouds {
  readonly variables: readonly Variable[];
  /** Removes what the action wrote to files, and signs tools out. */
  readonly undo: () => Promise<void>;
}

/** Gives later steps the files and outputs, and returns the variables to set. A failure leaves nothing behind. */
export async function publishClouds(
  clouds: readonly CloudSignIn[],
  options: PublishCloudsOptions,
): Promise<PublishedClouds> {
  const { runtime, step } = options;
  const undone: (() => unknown)[] = [];
  const undo = async (): Promise<void> => {
    for (const act of undone.toReversed()) await act();
  };
  // Another CI system renews its own file, and with it nothing that the CLI keeps.
  const azure = clouds.find((cloud) => cloud.azure !== undefined)?.azure;
  const renewed = azure && step.oidcSource.kind === 'runner' ? findCliAccount(azure, runtime.env) : undefined;
  try {
    const tokens = clouds.flatMap(({ token }) => token ?? []);
    const findFile = await provideTokens(tokens, {
      ...options,
      renewed,
      onCreated: (folder) => undone.push(() => removeTokenFolder(folder)),
    });
    for (const { profile } of clouds) {
      if (profile === undefined) continue;
      const state = publishProfile(runtime, profile);
      undone.push(() => removeProfile(state));
    }
    for (const { azure: settings, token } of clouds) {
      if (settings === undefined) continue;
      const { signInToTools } = await loadPart(() => import('../azure/index.js'));
      const [oidcToken, tokenFile] = [token?.oidcToken, token && findFile(token)];
      undone.push(await signInToTools(settings, { runtime, oidcToken, tokenFile, renewed }));
    }
    for (const { cloud, principal, token, outputs } of clouds) {
      if (token !== undefined) runtime.setOutput(token.output, findFile(token));
      for (const [name, value] of outputs) runtime.setOutput(name, value);
      runtime.info(`Signed in to ${cloud} as ${principal}.`);
    }
    const variables = clouds.flatMap(({ token, variables: given }) => merge(given, token?.variables(findFile(token))));
    return { variables: chooseVariables(step, variables), undo };
  } catch (error) {
    await undo();
    throw error;
  }
}

/** A variable of the token replaces the empty one of earlier credentials. */
function merge(variables: readonly Variable[], ofToken: readonly Variable[] = []): readonly Variable[] {
  return [...new Map([...ofToken.map(([name]) => [name, ''] as const), ...variables, ...ofToken])];
}

interface TokenOptions extends PublishCloudsOptions {
  readonly renewed: CliAccount | undefined;
  readonly onCreated: (folder: string) => void;
}

/** Writes the token files and returns their paths. Another CI system renews its own file. */
async function provideTokens(
  tokens: readonly CloudToken[],
  { runtime, step, userAgent, now, randomBytes, startRefresher, renewed, onCreated }: TokenOptions,
): Promise<(token: CloudToken) => string> {
  const { oidcSource } = step;
  if (oidcSource.kind === 'file') return () => oidcSource.path;
  if (tokens.length === 0) return () => '';
  const texts = Object.fromEntries(tokens.map(({ fileName, oidcToken }) => [fileName, oidcToken]));
  const folder = createTokenFolder({ runnerTemp: runtime.env.RUNNER_TEMP, random: randomBytes, tokens: texts });
  onCreated(folder);
  runtime.saveState(stateNames.tokenFolder, formatState({ folder }));
  if (oidcSource.kind === 'runner') {
    const files = tokens.map(({ fileName, audience }) => ({ name: fileName, audience }));
    const refreshAt = Math.min(...tokens.map(({ oidcToken }) => chooseRefreshTime(oidcToken, now())));
    await start(startRefresher, { folder, files, userAgent, refreshAt, cli: renewed });
  }
  return ({ fileName }) => path.join(folder, fileName);
}

async function start(startRefresher: PublishCloudsOptions['startRefresher'], config: RefreshConfig): Promise<void> {
  try {
    await startRefresher(config);
  } catch (cause) {
    throw new AppError('internal', 'The process that renews the OIDC tokens could not be started.', {
      reason: 'token_refresher_failed',
      cause,
    });
  }
}
