import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { isSystemError } from '@weir/errors';
import { formatFinding, hasErrors, parseDag } from '@weir/workflow-spec';

/**
 * Checks DAG files. For a good one nothing is printed but warnings; for a bad one a heading and a line an error.
 * Returns the exit code: 1 when a file is bad or cannot be read.
 */
export async function validateFiles(files: readonly string[], printError: (text: string) => void): Promise<number> {
  let exitCode = 0;
  for (const file of files) {
    const text = await readFile(file, 'utf8').catch((error: unknown) => unreadable(error));
    if (typeof text !== 'string') {
      printError(`Validation failed for ${file}\n  - ${text.problem}`);
      exitCode = 1;
      continue;
    }
    const { findings } = parseDag(text, { name: path.basename(file).replace(/\.ya?ml$/, '') });
    const isBad = hasErrors(findings);
    if (isBad) printError(`Validation failed for ${file}`);
    for (const finding of findings) {
      const line = formatFinding(finding);
      if (finding.severity === 'error') printError(`  - ${line}`);
      else printError(`${file}: ${finding.severity}: ${line}`);
    }
    if (isBad) exitCode = 1;
  }
  return exitCode;
}

function unreadable(error: unknown): { readonly problem: string } {
  if (isSystemError(error, 'ENOENT')) return { problem: 'there is no such file' };
  if (isSystemError(error, 'EISDIR')) return { problem: 'it is a folder' };
  if (isSystemError(error, 'EACCES')) return { problem: 'it may not be read' };
  throw error;
}
