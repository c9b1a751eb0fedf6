import path from 'node:path';
import { AppError } from '@weir/foundation';
import { isDagName } from '@weir/workflow-spec';
import { stringify } from 'yaml';
import { formatErrors } from '../../dag-parser/spec-errors';
import type { RunTarget } from '../../features/dags';
import { createInlineSpecReader } from '../shared/inline-spec-reader';
import type { StoreCommand } from '../shared/program-host';
import { executeRun } from './execute-run';
import { newRun, quieted } from './start-run';
import type { RunFlags } from './run-flags';

export interface ExecOptions extends StoreCommand, Pick<RunFlags, 'runId' | 'queue' | 'profile' | 'quiet'> {
  /** The program and its arguments, which reach it unchanged. */
  readonly command: readonly string[];
  /** Name of the DAG that the run belongs to. Default: the name of the program. */
  readonly name?: string | undefined;
  /** Default: the folder of the command line; on another server, the working folder of the run. */
  readonly workdir?: string | undefined;
  readonly variables?: Readonly<Record<string, string>> | undefined;
}

/** Executes a command as a run, with log and history. Returns the same exit code as `start`. */
export async function execRun(options: ExecOptions): Promise<number> {
  const { config, context, workingDirectory, runId, queue, profile } = options;
  const name = options.name ?? nameOf(options.command);
  if (!isDagName(name)) {
    throw new AppError('invalid_request', 'The name of a DAG has 1 to 40 letters, digits, "_", "." or "-".');
  }
  const folder = options.workdir ?? (context === undefined ? workingDirectory : undefined);
  if (folder?.includes('$') === true) {
    throw new AppError(
      'invalid_request',
      'A run would replace the "$" in the path of this folder: name another one with --workdir.',
    );
  }
  const specText = toSpec(options, context === undefined && folder ? path.resolve(workingDirectory, folder) : folder);
  const parsed = await createInlineSpecReader(config).parse(specText, { name });
  const [error] = formatErrors(parsed.findings);
  if (error !== undefined) throw new AppError('invalid_request', `The command cannot be a run: ${error}`);
  const target: RunTarget = { ...parsed, specText, name, fileName: name };
  return executeRun(quieted(options), newRun(target, { runId, queue, profile, context }));
}

function toSpec({ command, variables = {} }: ExecOptions, folder: string | undefined): string {
  // The shell sets the variables: in `env` of a DAG, references would be replaced.
  const assignments = Object.entries(variables).map(([name, value]) => `${name}=${quoteWord(value)}`);
  return stringify(
    {
      description: 'A command that was run with "weir exec".',
      ...(folder === undefined ? {} : { working_dir: folder }),
      shell: '/bin/sh',
      // The command is a list, because a text that is only the name of a YAML file would call a DAG.
      steps: [{ name: 'command', run: [[...assignments, ...command.map(quoteWord)].join(' ')] }],
    },
    { lineWidth: 0 },
  );
}

/** Quotes one word for a POSIX shell; references between single quotes stay as written. */
function quoteWord(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

function nameOf([program = '']: readonly string[]): string {
  const name = path
    .basename(program)
    .replaceAll(/[^A-Za-z0-9_.-]+/g, '-')
    .slice(0, 40);
  return isDagName(name) ? name : 'command';
}
