import { open, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { AppError, isAppError, isSystemError } from '@weir/foundation';
import { parseDotenv } from '../../values/environment/parse-dotenv';
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

const maxBytes = 1_048_576;
const standardFile = '.env';
const utf8 = new TextDecoder('utf-8', { fatal: true });

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
    const text = await readText(resolved, name);
    if (text !== undefined) env = { ...env, ...parseVariables(text, name) };
    else if (file !== standardFile) missing.push(name);
  }
  return { env, missing };
}

function parseVariables(text: string, file: string): Environment {
  if (text.includes('\0')) throw unreadable(file, 'it holds a NUL character');
  const parsed = parseDotenv(text);
  if ('problem' in parsed) throw unreadable(file, `line ${parsed.line}: ${parsed.problem}`);
  return parsed.env;
}

async function readText(file: string, name: string): Promise<string | undefined> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(file, 'r');
    const stat = await handle.stat();
    if (!stat.isFile()) throw unreadable(name, 'it is not a file');
    if (stat.size > maxBytes) throw unreadable(name, `it is longer than ${maxBytes} bytes`);
    return utf8.decode(await handle.readFile());
  } catch (error) {
    if (isSystemError(error, 'ENOENT') || isSystemError(error, 'ENOTDIR')) return undefined;
    if (isAppError(error)) throw error;
    throw unreadable(name, error instanceof TypeError ? 'it is not UTF-8' : 'it cannot be read', error);
  } finally {
    await handle?.close();
  }
}

function unreadable(file: string, why: string, cause?: unknown): AppError {
  return new AppError('invalid_request', `The environment file ${JSON.stringify(file)} cannot be used: ${why}.`, {
    reason: 'dotenv_unreadable',
    cause,
  });
}
