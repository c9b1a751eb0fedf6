import path from 'node:path';
import { parseArgs } from 'node:util';
import { checkFiles, exitCodeOf } from './check-files';
import { formatJson, formatText } from './format-report';

export const defaultTarget = 'org/auth-action@v0';

export const usage = `Usage: auth-migrate [path] [options]

Reads the workflows and composite actions of a repository (default: the current folder) and prints,
line by line, what changes for steps that use google-github-actions/auth,
aws-actions/configure-aws-credentials or azure/login.

Options:
  --write                   makes the changes
  --to <owner/name@ref>     the action to use instead (default: ${defaultTarget})
  --json                    prints JSON
  --help                    prints this text

Exit codes: 0 nothing is left to change, 1 something is, 2 wrong usage or a file that cannot be read.
`;

export interface RunResult {
  readonly exitCode: 0 | 1 | 2;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command line in a folder. It throws nothing that a user can cause. */
export function run(args: readonly string[], cwd: string): RunResult {
  const options = readOptions(args);
  if (typeof options === 'string') return { exitCode: 2, stdout: '', stderr: `auth-migrate: ${options}\n\n${usage}` };
  if (options.help) return { exitCode: 0, stdout: usage, stderr: '' };
  try {
    const report = checkFiles({
      root: path.resolve(cwd, options.path ?? '.'),
      target: options.to,
      write: options.write,
    });
    const stdout = options.json ? formatJson(report) : formatText(report);
    return { exitCode: exitCodeOf(report), stdout, stderr: '' };
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return { exitCode: 2, stdout: '', stderr: `auth-migrate: ${error.message}\n` };
  }
}

interface Options {
  readonly path: string | undefined;
  readonly to: string;
  readonly write: boolean;
  readonly json: boolean;
  readonly help: boolean;
}

function readOptions(args: readonly string[]): Options | string {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        write: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
        to: { type: 'string', default: defaultTarget },
      },
    });
    if (positionals.length > 1) return 'expected one path at most';
    if (!/^[\w.-]+\/[\w.-]+@[\w./-]+$/.test(values.to)) return `--to ${values.to} is not owner/name@ref`;
    return { ...values, path: positionals[0] };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Recognises errors such as ENOENT and EACCES, whose messages name the file. */
function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}
