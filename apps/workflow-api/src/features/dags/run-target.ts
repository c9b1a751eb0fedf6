import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '@weir/foundation';
import { isDagName, type Dag, type Finding } from '@weir/workflow-spec';
import type { SpecReader } from '../../dag-parser';
import type { DagFileStore } from './dag-file-store';
import { readDagFileAnywhere } from './read-dag-file';

export interface RunTarget {
  readonly dag: Dag;
  readonly findings: readonly Finding[];
  readonly specText: string;
  /** The base configurations that the DAG was read with. */
  readonly baseTexts: readonly string[];
  /** Name of the DAG when the text does not name it. */
  readonly name: string;
  /** Name of the file in the DAGs folder, or the absolute path of a file elsewhere. */
  readonly fileName: string;
}

interface FindOptions {
  readonly store: DagFileStore;
  readonly specs: SpecReader;
  readonly workingDirectory: string;
}

const extension = /\.ya?ml$/;

/** Finds the DAG that a string names: a path, or the name of a DAG in the DAGs folder. Throws `not_found`. */
export async function findRunTarget(text: string, { store, specs, workingDirectory }: FindOptions): Promise<RunTarget> {
  const isPath = text.includes('/') || extension.test(text);
  const file = isPath ? path.resolve(workingDirectory, text) : undefined;
  const found = file === undefined ? await store.read(text) : await readDagFileAnywhere(file);
  if (found === undefined) {
    throw new AppError(
      'not_found',
      isPath ? `There is no file ${text}.` : `There is no DAG "${text}" in ${store.folder}.`,
    );
  }
  if (found.kind === 'unreadable') throw new AppError('invalid_request', `${text} cannot be run: ${found.problem}.`);
  const name = file === undefined ? text : path.basename(file).replace(extension, '');
  const fileName = file === undefined || (await isInFolder(file, store.folder, name)) ? name : file;
  return { ...(await specs.parse(found.text, { name })), specText: found.text, name, fileName };
}

/** Whether the path is the file that the DAGs folder has under this name. */
async function isInFolder(file: string, folder: string, name: string): Promise<boolean> {
  if (!isDagName(name)) return false;
  const [realFile, realFolder] = await Promise.all([realpath(file), realpath(folder).catch(() => folder)]);
  return path.dirname(realFile) === realFolder;
}
