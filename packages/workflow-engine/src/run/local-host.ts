import { join } from 'node:path';
import { createPermits } from '../host/concurrency/permits';
import { createFileLocks, type FileLocks, type TryLockFile } from '../host/file-locks/file-locks';
import { createNamespaceIsolation } from '../host/isolation/namespace-isolation';
import { createLocalCommandExecutor } from '../host/local-command/local-command-executor';
import type { LocalCommandExecutor } from '../host/local-command/step-command';
import type { IsolationTools } from '../host/namespaces/isolation-tools';
import { createGitProgram } from '../host/packages/git-program';
import { createPackageCache } from '../host/packages/package-cache';
import type { PackageStore } from '../host/packages/package-store';
import type { Spawner } from '../host/spawner/spawner';
import { createInstalledTools } from '../host/tools/installed-tools';
import { createNpmDriver } from '../host/tools/npm-driver';
import { createPackageProgram } from '../host/tools/package-program';
import { createPipDriver } from '../host/tools/pip-driver';
import type { ToolInstaller } from '../host/tools/tool-installer';
import { installFromUrl } from '../host/tools/url-driver';
import type { Clock } from '../model/ports/clock';
import { createFileBuildCache } from './build/file-build-cache';
import type { RunPorts } from './context/run-ports';

export interface LocalHostOptions {
  /** The folder of tools and packaged actions, which isolated steps can see. */
  readonly home: string;
  /** The folder of locks, builds and records, which isolated steps cannot see. */
  readonly dataFolder: string;
  readonly tryLock: TryLockFile;
  readonly hostEnv: RunPorts['hostEnv'];
  /** The folder for scripts of commands while they run. Default: that of the system. */
  readonly scriptsFolder?: string | undefined;
  /** Time between SIGTERM and SIGKILL. Default 5,000. */
  readonly killGraceMs?: number | undefined;
  /** Starts processes and makes namespaces. Default: this process does. */
  readonly spawner?: Spawner | undefined;
  /** Steps have the rights of the server when missing. */
  readonly isolation?: LocalIsolation | undefined;
  /** Step processes at the same time, of all runs together. Default 64. */
  readonly maxProcesses?: number | undefined;
  /** Limits what the steps of builds have made. */
  readonly builds: { readonly maxBytes: number; readonly maxAgeMs: number };
  /** Tools that no run has used for this time are removed. */
  readonly tools: { readonly maxAgeMs: number };
  readonly packages: PackageSource;
  readonly clock: Clock;
}

export interface LocalIsolation {
  readonly tools: IsolationTools;
  /** Folders of the server that steps cannot see, apart from what belongs to their run. */
  readonly closed: readonly string[];
  /** Folders that every step sees, wherever they are. */
  readonly open: readonly string[];
  /** Each run gets a folder of its own in it. */
  readonly scriptsFolder: string;
}

/** Where packaged actions come from. */
export interface PackageSource {
  /** A repository is at `owner/name` below this address. */
  readonly source: string;
  /** The file with the token for that address; without it, git finds the credentials of the user of the server. */
  readonly tokenFile?: string | undefined;
  readonly maxAgeMs: number;
}

/** The parts of a machine that runs use. */
export type LocalHost = Pick<RunPorts, 'commands' | 'isolation' | 'locks' | 'buildCache' | 'processPermits'> & {
  readonly tools: ToolInstaller;
  readonly packages: PackageStore;
};

const maxStepProcesses = 64;

/** Opens this machine for runs. Nothing is started, read or written before a run needs it. */
export function createLocalHost(options: LocalHostOptions): LocalHost {
  const { dataFolder, scriptsFolder, killGraceMs, spawner, isolation, builds, clock } = options;
  const locks = createFileLocks({ folder: join(dataFolder, 'locks'), tryLock: options.tryLock });
  const commands = createLocalCommandExecutor({
    clock,
    ...(scriptsFolder === undefined ? {} : { tempDir: scriptsFolder }),
    ...(killGraceMs === undefined ? {} : { killGraceMs }),
    ...(spawner === undefined ? {} : { spawner }),
  });
  return {
    commands,
    locks,
    isolation: isolation && createNamespaceIsolation({ ...isolation, spawner }),
    buildCache: createFileBuildCache({ folder: join(dataFolder, 'builds'), locks, clock, ...builds }),
    tools: createTools(options, commands, locks),
    packages: createPackages(options, commands, locks),
    processPermits: createPermits(options.maxProcesses ?? maxStepProcesses),
  };
}

function createTools(
  { home, dataFolder, hostEnv, tools, clock }: LocalHostOptions,
  commands: LocalCommandExecutor,
  locks: FileLocks,
): ToolInstaller {
  const run = createPackageProgram(commands, hostEnv);
  return createInstalledTools({
    folder: join(home, 'tools'),
    records: join(dataFolder, 'tools'),
    locks,
    drivers: { url: installFromUrl, npm: createNpmDriver(run), pip: createPipDriver(run) },
    clock,
    maxAgeMs: tools.maxAgeMs,
  });
}

function createPackages(
  { home, hostEnv, packages: { source, tokenFile, maxAgeMs }, clock }: LocalHostOptions,
  commands: LocalCommandExecutor,
  locks: FileLocks,
): PackageStore {
  const token = tokenFile === undefined ? undefined : { address: source, file: tokenFile };
  const git = createGitProgram({ commands, hostEnv, token });
  return createPackageCache({ folder: join(home, 'packages'), source, maxAgeMs, locks, git, clock });
}
