import { stat } from 'node:fs/promises';
import path from 'node:path';
import { hasErrors, type Finding } from '@weir/workflow-spec';
import { readDagFileAnywhere } from '../../features/dags';

/** A DAG as this program or the API of a server shows it. */
interface CheckedDag {
  readonly steps?: readonly unknown[] | undefined;
}

/** Checks specs by the rules of this installation or of a server. */
export interface SpecChecker {
  parse(text: string, options: { readonly name: string }): Promise<Pick<CheckedFile, 'findings' | 'dag' | 'localDags'>>;
}

/** The findings about one file of a command line. */
export interface CheckedFile {
  /** The path as it was given. */
  readonly file: string;
  readonly valid: boolean;
  /** The reason why nothing could be read, for people. */
  readonly problem?: string;
  readonly findings: readonly Finding[];
  /** The part of the DAG that could be read; missing when the file could not be. */
  readonly dag?: CheckedDag | undefined;
  readonly localDags?: readonly CheckedDag[] | undefined;
}

/** Reads a file as a DAG. Never rejects because of an error in the file. */
export async function checkFile(
  file: string,
  { specs, workingDirectory }: { readonly specs: SpecChecker; readonly workingDirectory: string },
): Promise<CheckedFile> {
  const absolutePath = path.resolve(workingDirectory, file);
  const found = await readDagFileAnywhere(absolutePath);
  if (found === undefined) return unreadable(file, await describeMissingFile(absolutePath));
  if (found.kind === 'unreadable') return unreadable(file, found.problem);
  const { dag, localDags, findings } = await specs.parse(found.text, {
    name: path.basename(file).replace(/\.ya?ml$/, ''),
  });
  return { file, valid: !hasErrors(findings), findings, dag, localDags };
}

async function describeMissingFile(absolutePath: string): Promise<string> {
  const isThere = await stat(absolutePath).then(
    () => true,
    () => false,
  );
  return isThere ? 'it is a folder or a device, not a file' : 'there is no such file';
}

function unreadable(file: string, problem: string): CheckedFile {
  return { file, valid: false, problem, findings: [] };
}
