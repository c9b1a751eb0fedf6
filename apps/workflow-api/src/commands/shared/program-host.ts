import { existsSync } from 'node:fs';
import path from 'node:path';
import type { LoggerOptions, SignalSource } from '@weir/service-kit';
import type { WorkflowClient } from '@weir/workflow-client';
import type { DagRunDetails } from '@weir/workflow-contract/schemas';
import type { Application } from '../../composition';
import type { Config, HostInfo } from '../../config';
import type { NamedContext } from './context-file';
import type { RunAddress } from './run-queries';

/** Everything that a command line uses of its process. */
export interface ProgramHost extends HostInfo {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The path that the program was started by. */
  readonly programName?: string | undefined;
  readonly version: string;
  /** The context that commands about DAGs and runs name, if any. When it is missing, the command is for this machine. */
  readonly context?: { readonly name: string | undefined };
  readonly migrationsFolder: string;
  readonly parserFile: string;
  readonly loadOwnStore: () => Promise<OwnStore>;
  /** Missing where the web interface was not built. */
  readonly uiFolder: string | undefined;
  /** Whether output has colours. Default: false. */
  readonly isColored?: boolean | undefined;
  /** Asks on the terminal, without showing the typed text. Missing without a terminal. */
  readonly askSecret?: ((question: string) => Promise<string>) | undefined;
  readonly signals: SignalSource;
  readonly print: (text: string) => void;
  readonly printError: (text: string) => void;
  readonly logDestination: NonNullable<LoggerOptions['destination']>;
  /** The destination of the logs of servers. Default: standard output. */
  readonly serverLogDestination?: LoggerOptions['destination'];
}

export type Exit = (code: number) => void;

/** Flags take precedence over the environment. */
export async function readConfig(
  host: ProgramHost,
  flags: Readonly<Record<string, string | undefined>>,
): Promise<Config> {
  const { loadConfig } = await import('../../config/index.js');
  const given = Object.entries(flags).filter(([, value]) => value !== undefined);
  return loadConfig({ ...host.env, ...Object.fromEntries(given) }, host);
}

/** Everything that a command needs to work on the store. */
export interface StoreCommand extends Omit<ProgramHost, 'context'> {
  readonly config: Config;
  readonly hostEnvironment: ProgramHost['env'];
  /** The server that the command is for; undefined for the server of this machine. */
  readonly context: NamedContext | undefined;
}

export interface OwnApplication {
  readonly application: Application;
  /** Its API within the process, made when it is first used. */
  readonly client: () => WorkflowClient;
  /** Reads a run without its API, as the user of this process. Throws `dag_run_not_found`. */
  readonly readRun: (address: RunAddress) => Promise<DagRunDetails>;
}

type WithOwnApplication = <Result>(
  command: StoreCommand,
  work: (own: OwnApplication) => Promise<Result>,
) => Promise<Result>;

/** Opens the database in this process. The module takes longest to load, so it is loaded only where no server is found. */
export interface OwnStore {
  readonly withOwnApplication: WithOwnApplication;
  /** Does the same for a command that executes runs. */
  readonly withOwnWorker: WithOwnApplication;
}

export async function createStoreCommand(
  host: ProgramHost,
  flags: { readonly dags?: string | undefined },
): Promise<StoreCommand> {
  const config = await readConfig(host, { WEIR_DAGS_DIR: flags.dags });
  const context = host.context && (await findContextOf(config, host.context.name));
  return { ...host, config, context, hostEnvironment: namingInstallation(host.env, config) };
}

/** The module is loaded only where there is a context to find. */
async function findContextOf(config: Config, name: string | undefined): Promise<NamedContext | undefined> {
  if (name === undefined && !existsSync(path.join(config.home, 'contexts.json'))) return undefined;
  const { findContext } = await import('./context-file.js');
  return findContext(config, name);
}

/**
 * Names the folders in use by absolute paths, because steps have other working directories. Commands that steps call
 * are for the installation that executes them, even if a person has chosen another server.
 */
export function namingInstallation(env: ProgramHost['env'], { home, dags }: Config): ProgramHost['env'] {
  return { ...env, WEIR_HOME: home, WEIR_DAGS_DIR: dags.folder, WEIR_CONTEXT: 'local' };
}
