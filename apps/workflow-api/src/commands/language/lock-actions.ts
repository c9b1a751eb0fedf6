import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { isAppError } from '@weir/foundation';
import { tryLockFile } from '@weir/workflow-db';
import { createLocalHost, type LocalHost } from '@weir/workflow-engine';
import { formatFinding, listSteps, type ActionLock, type Dag, type Finding } from '@weir/workflow-spec';
import { lockActions } from '@weir/workflow-spec/convert';
import { systemClock } from '../../adapters/clock';
import type { Config } from '../../config';
import type { SpecReader } from '../../dag-parser';
import { readDagFileAnywhere, replaceFile } from '../../features/dags';

export interface LockOptions {
  readonly files: readonly string[];
  /** Whether files stay unchanged, and a lock that would change is an error. */
  readonly check: boolean;
  readonly specs: SpecReader;
  readonly packages: Pick<LocalHost['packages'], 'lock'>;
  readonly workingDirectory: string;
  readonly signal: AbortSignal;
  readonly print: (text: string) => void;
  readonly printError: (text: string) => void;
}

/** Opens the packaged actions as the runs of this installation find them. */
export function commandPackages(
  { home, data, buildCache, tools, packages }: Config,
  hostEnv: Readonly<Record<string, string | undefined>>,
): LocalHost['packages'] {
  const host = createLocalHost({
    home,
    dataFolder: data.folder,
    tryLock: tryLockFile,
    hostEnv,
    builds: buildCache,
    tools,
    packages,
    clock: systemClock,
  });
  return host.packages;
}

/**
 * Writes commit and checksum of the packaged actions of each file into its `action_lock`. Returns the exit code: 1
 * when a file has other errors, when an action cannot be fetched, and with `check` when a lock differs from the
 * current version.
 */
export async function lockFiles(options: LockOptions): Promise<number> {
  let exitCode = 0;
  for (const file of options.files) {
    try {
      if (!(await lockFile(file, options))) exitCode = 1;
    } catch (error) {
      if (!isAppError(error)) throw error;
      options.printError(`${file}: ${error.message}`);
      exitCode = 1;
    }
  }
  return exitCode;
}

async function lockFile(file: string, options: LockOptions): Promise<boolean> {
  const { specs, workingDirectory, print, printError, check } = options;
  const target = path.resolve(workingDirectory, file);
  const found = await readDagFileAnywhere(target);
  if (found?.kind !== 'text') {
    printError(`${file}: ${found === undefined ? 'there is no such file' : found.problem}`);
    return false;
  }
  const { dag, localDags, findings } = await specs.parse(found.text, {
    name: path.basename(file).replace(/\.ya?ml$/, ''),
  });
  const errors = findings.filter(isOtherError);
  if (errors.length > 0) {
    printError([`${file} was not locked:`, ...errors.map((error) => `  - ${formatFinding(error)}`)].join('\n'));
    return false;
  }
  const locks = await Promise.all([dag, ...localDags].map((each) => lockDag(each, options)));
  const text = lockActions(found.text, locks);
  for (const [action, { commit }] of locks.flatMap((each) => Object.entries(each))) {
    print(`${file}: ${action} is ${commit}`);
  }
  if (text === found.text) return true;
  if (check) printError(`${file}: its locks are not what the versions are now`);
  else await replaceFile(target, text, `.${path.basename(file)}.${randomUUID()}`);
  return !check;
}

function isOtherError({ severity, code, path: at }: Finding): boolean {
  return severity === 'error' && code !== 'action_not_locked' && !at.startsWith('/action_lock');
}

async function lockDag(dag: Dag, { packages, signal }: LockOptions): Promise<Readonly<Record<string, ActionLock>>> {
  const actions = listSteps(dag).flatMap(({ run }) => (run.kind === 'action' && run.package ? [run.package] : []));
  const byText = new Map(actions.map((action) => [action.text, action]));
  const locks: [string, ActionLock][] = [];
  for (const [text, action] of [...byText].sort(([left], [right]) => (left < right ? -1 : 1))) {
    locks.push([text, await packages.lock(action, signal)]);
  }
  return Object.fromEntries(locks);
}
