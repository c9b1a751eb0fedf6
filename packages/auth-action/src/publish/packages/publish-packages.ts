import path from 'node:path';
import { AppError, isAppError } from '@weir/foundation';
import type { PackageRegistries } from '../../inputs/settings';
import type { StepSettings } from '../../inputs/step-settings';
import { chooseVariables, type Variable } from '../../report/variables';
import type { ActionsRuntime } from '../../runner/actions-runtime';
import { formatState, stateNames } from '../../runner/state';
import { removeTokenFolder } from '../clouds/remove-token-folder';
import { createTokenFolder } from '../clouds/token-folder';
import type { ClientConfig } from './client-config';
import { configureMaven } from './configure-maven';
import { configureNpm } from './configure-npm';
import { configurePython } from './configure-python';

export interface PublishPackagesOptions {
  readonly runtime: ActionsRuntime;
  readonly step: StepSettings;
  readonly randomBytes: (bytes: number) => Uint8Array;
  readonly registries: PackageRegistries;
  readonly token: string;
}

export interface PublishedPackages {
  /** To be set. They contain no secret. */
  readonly variables: readonly Variable[];
  readonly undo: () => void;
}

/**
 * A separate bundle, which main loads only for jobs with registries of packages. Writes files for the clients to a new
 * folder, with what the user has in theirs. Fails with `package_files_failed` and as {@link createTokenFolder} does, and
 * leaves nothing behind then.
 */
export function publishPackages(options: PublishPackagesOptions): PublishedPackages {
  const { runtime, step, randomBytes } = options;
  let folder: string | undefined;
  const undo = (): void => {
    if (folder !== undefined) removeTokenFolder(folder);
  };
  try {
    const configs = configureAll(options);
    const tokens = Object.fromEntries(configs.map(({ fileName, text }) => [fileName, text]));
    const created = createTokenFolder({ runnerTemp: runtime.env.RUNNER_TEMP, random: randomBytes, tokens });
    folder = created;
    runtime.saveState(stateNames.packages, formatState({ folder }));
    const variables = configs.flatMap((config) => publishConfig(runtime, config, created));
    return { variables: chooseVariables(step, variables), undo };
  } catch (cause) {
    undo();
    if (isAppError(cause)) throw cause;
    throw new AppError('internal', `The files for registries of packages could not be written: ${String(cause)}.`, {
      reason: 'package_files_failed',
      cause,
    });
  }
}

function configureAll({ runtime, registries, token }: PublishPackagesOptions): readonly ClientConfig[] {
  // The files need no escapes for these characters, which are all that tokens of Google Cloud have.
  if (!/^[\w.~+/=-]+$/.test(token)) throw new Error('the access token has unexpected characters');
  const { env } = runtime;
  const { npm, python, maven } = registries;
  return [
    ...(npm.length === 0 ? [] : [configureNpm(env, npm, token)]),
    ...(python.length === 0 ? [] : [configurePython(env, python, token)]),
    ...(maven.length === 0 ? [] : [configureMaven(runtime, maven, token)]),
  ];
}

function publishConfig(runtime: ActionsRuntime, config: ClientConfig, folder: string): readonly Variable[] {
  const { client, fileName, output } = config;
  const file = path.join(folder, fileName);
  const variables = config.variables(file);
  runtime.setOutput(output, file);
  runtime.info(`${client} can use Artifact Registry.`);
  return variables;
}
