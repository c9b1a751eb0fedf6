import path from 'node:path';
import { AppError } from '@weir/foundation';
import { readVariables } from '../../host/files/read-variables';
import type { Environment } from '../../values/environment/run-variables';
import type { DagRun } from '../../model/run-model/dag-run';
import type { Dag } from '@weir/workflow-spec';
import { resolveField } from '@weir/workflow-spec/values';
import { sourceFolder, type RunValues } from '../../values/run-values/run-values';

export interface ReadDotenv {
  /** The variables of all files together; a later file wins. Values are literal. */
  readonly env: Environment;
  /** Files that the DAG names and that are not there; `.env` may always be missing. */
  readonly missing: readonly string[];
}

export interface DotenvSources {
  readonly dag: Dag;
  readonly run: DagRun;
  readonly dagsDir: string;
  readonly values: RunValues;
}

const standardFile = '.env';

/**
 * Reads the environment files of a DAG. Relative paths start from its working folder, and from the folder of its file when it
 * names none. Throws `dotenv_unreadable` for what is not a file of variables, or is longer than 1 MiB.
 */
export async function readDotenv({ dag, run, dagsDir, values }: DotenvSources): Promise<ReadDotenv> {
  const folder = dag.workingDir === undefined ? sourceFolder(run, dagsDir) : values.folder;
  const missing: string[] = [];
  let env: Environment = {};
  for (const file of dag.dotenv ?? [standardFile]) {
    const name = resolveField(file, values.scope);
    const resolved = path.resolve(folder, name.replace(/^~(?=\/|$)/, values.env.HOME ?? '~'));
    values.enclosure?.assertOpen(resolved);
    const found = await readVariables(resolved);
    if (found === undefined) {
      if (file !== standardFile) missing.push(name);
      continue;
    }
    if ('problem' in found) throw unreadable(name, found.problem, found.cause);
    env = { ...env, ...found.env };
  }
  return { env, missing };
}

function unreadable(file: string, why: string, cause?: unknown): AppError {
  return new AppError('invalid_request', `The environment file ${JSON.stringify(file)} cannot be used: ${why}.`, {
    reason: 'dotenv_unreadable',
    cause,
  });
}
