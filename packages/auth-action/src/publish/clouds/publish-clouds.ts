import path from 'node:path';
import { AppError } from '@weir/foundation';
import type { ActionsRuntime } from '../../runner/actions-runtime';
import { removeTokenFolder } from './remove-token-folder';
import { formatState, stateNames } from '../../runner/state';
import { chooseVariables, type Variable } from '../../report/variables';
import type { StepSettings } from '../../inputs/step-settings';
import { chooseRefreshTime, type RefreshConfig } from './refresh-tokens';
import type { SignedInCloud } from '../../clouds/sign-in-to-clouds';
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
  /** The folder of the tokens, if the action wrote any. */
  readonly folder: string | undefined;
}

/** Gives later steps the token files and outputs, and returns the variables to set. */
export async function publishClouds(
  clouds: readonly SignedInCloud[],
  options: PublishCloudsOptions,
): Promise<PublishedClouds> {
  const { runtime, step } = options;
  const { findFile, folder } = await provideTokens(clouds, options);
  const variables = clouds.flatMap((cloud) => cloud.variables(findFile(cloud)));
  for (const cloud of clouds) {
    runtime.setOutput(cloud.fileOutput, findFile(cloud));
    for (const [name, value] of cloud.outputs) runtime.setOutput(name, value);
    runtime.info(`Signed in to ${cloud.cloud} as ${cloud.principal}.`);
  }
  return { variables: chooseVariables(step, variables), folder };
}

/** Writes the token file of each cloud and returns its path. Another CI system renews its own file. */
async function provideTokens(
  clouds: readonly SignedInCloud[],
  { runtime, step, userAgent, now, randomBytes, startRefresher }: PublishCloudsOptions,
): Promise<{ readonly findFile: (cloud: SignedInCloud) => string; readonly folder: string | undefined }> {
  const { oidcSource } = step;
  if (oidcSource.kind === 'file') return { findFile: () => oidcSource.path, folder: undefined };
  const tokens = Object.fromEntries(clouds.map(({ fileName, oidcToken }) => [fileName, oidcToken]));
  const folder = createTokenFolder({ runnerTemp: runtime.env.RUNNER_TEMP, random: randomBytes, tokens });
  runtime.saveState(stateNames.tokenFolder, formatState({ folder }));
  if (oidcSource.kind === 'runner') {
    const files = clouds.map(({ fileName, audience }) => ({ name: fileName, audience }));
    const refreshAt = Math.min(...clouds.map(({ oidcToken }) => chooseRefreshTime(oidcToken, now())));
    await startOrCleanUp(startRefresher, { folder, files, userAgent, refreshAt });
  }
  return { findFile: ({ fileName }) => path.join(folder, fileName), folder };
}

async function startOrCleanUp(
  startRefresher: PublishCloudsOptions['startRefresher'],
  config: RefreshConfig,
): Promise<void> {
  try {
    await startRefresher(config);
  } catch (cause) {
    removeTokenFolder(config.folder);
    throw new AppError('internal', 'The process that renews the OIDC tokens could not be started.', {
      reason: 'token_refresher_failed',
      cause,
    });
  }
}
