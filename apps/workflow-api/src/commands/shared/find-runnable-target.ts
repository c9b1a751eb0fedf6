import { AppError } from '@weir/foundation';
import { unsupportedParts } from '@weir/workflow-engine/model';
import { formatFinding, hasErrors, isDagName } from '@weir/workflow-spec';
import { systemRandom } from '../../adapters/random-source';
import { createDagFileStore } from '../../features/dags';
import { createInlineSpecReader } from './inline-spec-reader';
import type { StoreCommand } from './program-host';
import { findRunTarget, type RunTarget } from '../../features/dags';

/** Finds a DAG that can be executed. Otherwise prints why it cannot, and returns `undefined`. */
export async function findRunnableTarget(
  command: Pick<StoreCommand, 'config' | 'workingDirectory' | 'printError'>,
  text: string,
): Promise<RunTarget | undefined> {
  const { printError } = command;
  const target = await findTarget(command, text);
  if (hasErrors(target.findings)) {
    const errors = target.findings.filter(({ severity }) => severity === 'error');
    printError([`Validation failed for ${text}`, ...errors.map((error) => `  - ${formatFinding(error)}`)].join('\n'));
    return undefined;
  }
  const unrunnable = unsupportedParts(target.dag);
  if (unrunnable.length === 0) return target;
  const heading = `${text} is valid, but this version cannot execute it yet:`;
  printError([heading, ...unrunnable.map((part) => `  - ${part}`)].join('\n'));
  return undefined;
}

/** Finds a DAG with its findings, by its name in the DAGs folder or by the path of its file. */
export function findTarget(
  { config, workingDirectory }: Pick<StoreCommand, 'config' | 'workingDirectory'>,
  text: string,
): Promise<RunTarget> {
  const store = createDagFileStore({ folder: config.dags.folder, random: systemRandom });
  return findRunTarget(text, { workingDirectory, store, specs: createInlineSpecReader(config) });
}

/** Gives a DAG another name for one run. Throws `invalid_request` for one that no DAG may have. */
export function renameTarget(target: RunTarget, name: string | undefined): RunTarget {
  if (name === undefined) return target;
  if (!isDagName(name)) {
    throw new AppError('invalid_request', 'The name of a DAG has 1 to 40 letters, digits, "_", "." or "-".');
  }
  return { ...target, dag: { ...target.dag, name } };
}

/**
 * Returns the name of the DAG that a command about runs is given. A path, or a name in the DAGs folder, gives the
 * name in the file; any other text is the name itself, because the file may be gone while its runs are still stored.
 */
export async function resolveDagName(
  { config, context, workingDirectory }: Pick<StoreCommand, 'config' | 'context' | 'workingDirectory'>,
  text: string,
): Promise<string> {
  const store = createDagFileStore({ folder: config.dags.folder, random: systemRandom });
  const isPath = text.includes('/') || /\.ya?ml$/.test(text);
  // The names of another server are not looked up in the folder of this one.
  if (!isPath && context) return text;
  const found = isPath ? undefined : await store.read(text);
  if (!isPath && found?.kind !== 'text') return text;
  return (await findTarget({ config, workingDirectory }, text)).dag.name;
}
