import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { readdir, stat } from 'node:fs/promises';
import { AppError } from '@weir/foundation';
import { formatFinding, hasErrors } from '@weir/workflow-spec';
import { convertSpec, type ConvertedSpec } from '@weir/workflow-spec/convert';
import type { SpecReader } from '../../dag-parser';
import { unifiedDiff } from '../../features/dag-revisions';
import { readDagFileAnywhere, replaceFile } from '../../features/dags';

export interface ConvertFlags {
  /** Whether files are changed. */
  readonly write?: boolean;
  /** Whether files that would change are an error. */
  readonly check?: boolean;
  /** Whether the differences are printed. */
  readonly diff?: boolean;
}

export interface ConvertOptions extends ConvertFlags {
  /** Files, and folders of files. */
  readonly files: readonly string[];
  readonly specs: SpecReader;
  readonly workingDirectory: string;
  readonly print: (text: string) => void;
  readonly printError: (text: string) => void;
}

/**
 * Replaces older spellings in DAG files by the current ones. Without a flag the converted text of one file is
 * printed. Returns the exit code: 1 when a file has errors or cannot be read, and with `check` when a file has older
 * spellings.
 */
export async function convertFiles(options: ConvertOptions): Promise<number> {
  const { workingDirectory, printError } = options;
  const files = await findDagFiles(options.files, workingDirectory);
  if (files.length !== 1 && !options.write && !options.check && !options.diff) {
    throw new AppError('invalid_request', 'Give --write, --check or --diff to convert several files.');
  }
  let exitCode = 0;
  // Files are converted one after another, so that the texts of a folder are not in memory at once.
  for (const file of files) {
    const found = await readDagFileAnywhere(path.resolve(workingDirectory, file));
    if (found?.kind !== 'text') {
      printError(`${file}: ${found === undefined ? 'there is no such file' : found.problem}`);
      exitCode = 1;
    } else if (!(await convertFile(file, found.text, options))) exitCode = 1;
  }
  return exitCode;
}

async function convertFile(file: string, text: string, options: ConvertOptions): Promise<boolean> {
  const { specs, printError } = options;
  const name = path.basename(file).replace(/\.ya?ml$/, '');
  const converted = await convertSpec(text, (changed) => specs.parse(changed, { name }));
  if (hasErrors(converted.findings)) {
    const errors = converted.findings.filter(({ severity }) => severity === 'error');
    printError([`${file} was not converted:`, ...errors.map((error) => `  - ${formatFinding(error)}`)].join('\n'));
    return false;
  }
  for (const finding of converted.findings) {
    if (finding.code.startsWith('deprecated_')) printError(`${file}: left as it is: ${formatFinding(finding)}`);
  }
  return showConverted({ file, text, converted }, options);
}

interface ConvertedFile {
  readonly file: string;
  readonly text: string;
  readonly converted: ConvertedSpec;
}

/** Returns whether the command succeeded with this file. */
async function showConverted({ file, text, converted }: ConvertedFile, options: ConvertOptions): Promise<boolean> {
  const { print, workingDirectory, check, diff, write } = options;
  if (!check && !diff && !write) print(converted.text.trimEnd());
  if (converted.text === text) return true;
  if (diff) {
    const sides = [
      { label: 'as it is', text },
      { label: 'converted', text: converted.text },
    ] as const;
    print(unifiedDiff(file, ...sides).diff.trimEnd());
  } else if (check) print(`${file}: ${count(converted.replaced)}`);
  if (write) {
    await replaceFile(path.resolve(workingDirectory, file), converted.text, `.${path.basename(file)}.${randomUUID()}`);
    print(`${file}: ${count(converted.replaced)} replaced`);
  }
  return !check;
}

function count(replaced: number): string {
  return replaced === 1 ? '1 older spelling' : `${replaced} older spellings`;
}

const extension = /\.ya?ml$/;

/**
 * Returns the files that arguments name: files themselves, and the YAML files in folders at any depth, sorted. Links
 * are not followed.
 */
async function findDagFiles(given: readonly string[], workingDirectory: string): Promise<readonly string[]> {
  const found = await Promise.all(
    given.map(async (name) => ((await isFolder(path.resolve(workingDirectory, name))) ? listFolder(name) : [name])),
  );
  return found.flat();

  async function listFolder(folder: string): Promise<readonly string[]> {
    const entries = await readdir(path.resolve(workingDirectory, folder), { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile() && extension.test(entry.name));
    const root = path.resolve(workingDirectory, folder);
    return files.map((entry) => path.join(folder, path.relative(root, entry.parentPath), entry.name)).sort();
  }
}

function isFolder(file: string): Promise<boolean> {
  return stat(file).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
