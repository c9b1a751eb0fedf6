import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { AppError, isSystemError } from '@weir/foundation';
import { convertCrontab, type ConvertedCrontab } from '@weir/workflow-spec/convert';

export interface ConvertCronOptions {
  readonly file: string;
  /** Whether the file names a user before each command. Default: whether it is where cron has such files. */
  readonly isSystem: boolean;
  /** The folder in which the DAG files are created; they are printed when it is left out. */
  readonly to: string | undefined;
  readonly workingDirectory: string;
  readonly print: (text: string) => void;
  readonly printError: (text: string) => void;
}

/**
 * Makes a DAG file of each line of a crontab. An existing file is not replaced. Returns the exit code: 1 when a line
 * has no counterpart; the other lines are still converted.
 */
export async function convertCron(options: ConvertCronOptions): Promise<number> {
  const { file, to, workingDirectory, print, printError } = options;
  const absolute = path.resolve(workingDirectory, file);
  const isSystem = options.isSystem || absolute === '/etc/crontab' || path.dirname(absolute) === '/etc/cron.d';
  const converted = convertCrontab(await readCrontab(absolute), { isSystem });
  if (to === undefined) print(asOneText(converted));
  else await createFiles(path.resolve(workingDirectory, to), converted, print);
  for (const { line, message } of converted.notes) printError(`${file}:${line}: note: ${message}`);
  for (const { line, message } of converted.problems) printError(`${file}:${line}: not converted: ${message}`);
  return converted.problems.length === 0 ? 0 : 1;
}

async function readCrontab(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (!isSystemError(error, 'ENOENT', 'EISDIR', 'EACCES')) throw error;
    throw new AppError('not_found', `${file} cannot be read.`, { cause: error });
  }
}

function asOneText({ dags }: ConvertedCrontab): string {
  return dags.map(({ name, spec }) => `# ${name}.yaml\n${spec.trimEnd()}`).join('\n\n');
}

async function createFiles(
  folder: string,
  { dags }: ConvertedCrontab,
  print: ConvertCronOptions['print'],
): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const { name, spec } of dags) {
    const file = path.join(folder, `${name}.yaml`);
    try {
      await writeFile(file, spec, { flag: 'wx' });
    } catch (error) {
      if (!isSystemError(error, 'EEXIST')) throw error;
      throw new AppError('conflict', `${file} exists already, and is not replaced.`, { cause: error });
    }
    print(file);
  }
}
