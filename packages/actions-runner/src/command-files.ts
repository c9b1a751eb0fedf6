import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { CommandFileBytes, Variables } from './runner-types';

const prefixes = {
  env: 'set_env_',
  output: 'set_output_',
  state: 'save_state_',
  path: 'add_path_',
  summary: 'step_summary_',
} as const;

type FileKind = keyof typeof prefixes;

const variables = {
  env: 'GITHUB_ENV',
  output: 'GITHUB_OUTPUT',
  state: 'GITHUB_STATE',
  path: 'GITHUB_PATH',
  summary: 'GITHUB_STEP_SUMMARY',
} as const satisfies Record<FileKind, string>;

const maxSummaryBytes = 1_048_576;
const noBytes = Buffer.alloc(0);

export const emptyCommandFiles: CommandFileBytes = {
  env: noBytes,
  output: noBytes,
  state: noBytes,
  path: noBytes,
  summary: noBytes,
};

export interface CommandFiles {
  /** `GITHUB_ENV` and the other variables. */
  readonly env: Variables;
  readonly read: () => CommandFileBytes;
}

/** Creates empty files for one process. */
export function createCommandFiles(runnerTemp: string): CommandFiles {
  const folder = path.join(runnerTemp, '_runner_file_commands');
  mkdirSync(folder, { recursive: true });
  const id = randomUUID();
  const files = forEachKind((kind) => {
    const file = path.join(folder, `${prefixes[kind]}${id}`);
    writeFileSync(file, '', { flag: 'wx' });
    return file;
  });
  return {
    env: Object.fromEntries(kinds.map((kind) => [variables[kind], files[kind]])),
    // The runner treats a file that the process deleted as empty.
    read: () => forEachKind((kind) => readIfPresent(files[kind])),
  };
}

export interface StepEffects {
  readonly env: Variables;
  readonly outputs: Variables;
  readonly state: Variables;
  readonly paths: readonly string[];
  /** The summary, unmasked. */
  readonly summary: string;
  /** Error annotations. */
  readonly errors: readonly string[];
  /** Whether a file is malformed, which fails the step. */
  readonly failed: boolean;
}

/** Parses the files like the runner: a malformed file is ignored, the others are not. */
export function readEffects(bytes: CommandFileBytes): StepEffects {
  const errors: string[] = [];
  let failed = false;
  const pairs = (kind: 'env' | 'output' | 'state'): Map<string, string> => {
    try {
      return parsePairs(bytes[kind].toString('utf8'));
    } catch (error) {
      failed = true;
      errors.push(`Unable to process file command '${kind}' successfully.`, (error as Error).message);
      return new Map();
    }
  };
  const env = pairs('env');
  for (const name of [...env.keys()].filter((key) => key.toUpperCase() === 'NODE_OPTIONS')) {
    env.delete(name);
    errors.push(`Can't store ${name} output parameter using '$GITHUB_ENV' command.`);
  }
  const isSummaryTooLong = bytes.summary.length > maxSummaryBytes;
  if (isSummaryTooLong) {
    errors.push(`$GITHUB_STEP_SUMMARY upload aborted: at most ${maxSummaryBytes} bytes, got ${bytes.summary.length}.`);
  }
  return {
    env: Object.fromEntries(env),
    outputs: Object.fromEntries(pairs('output')),
    state: Object.fromEntries(pairs('state')),
    paths: splitLines(bytes.path.toString('utf8')).filter((line) => line !== ''),
    summary: isSummaryTooLong ? '' : bytes.summary.toString('utf8'),
    errors,
    failed,
  };
}

/** `NAME=VALUE`, or `NAME<<DELIMITER`, lines, `DELIMITER`. The sign that comes first in the line decides. */
export function parsePairs(text: string): Map<string, string> {
  const pairs = new Map<string, string>();
  const lines = splitLines(text);
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? '';
    if (line === '') continue;
    const equals = line.indexOf('=');
    const heredoc = line.indexOf('<<');
    if (equals < 0 && heredoc < 0) throw new Error(`Invalid format '${line}'`);
    if (heredoc < 0 || (equals >= 0 && equals < heredoc)) {
      if (equals === 0) throw new Error(`Invalid format '${line}'. Name must not be empty`);
      pairs.set(line.slice(0, equals), line.slice(equals + 1));
      continue;
    }
    const [name, delimiter] = [line.slice(0, heredoc), line.slice(heredoc + 2)];
    if (name === '' || delimiter === '') {
      throw new Error(`Invalid format '${line}'. Name must not be empty and delimiter must not be empty`);
    }
    const end = lines.indexOf(delimiter, index + 1);
    if (end < 0) throw new Error(`Invalid value. Matching delimiter not found '${delimiter}'`);
    pairs.set(name, lines.slice(index + 1, end).join('\n'));
    index = end;
  }
  return pairs;
}

const kinds = Object.keys(prefixes) as readonly FileKind[];

function forEachKind<Value>(make: (kind: FileKind) => Value): Record<FileKind, Value> {
  return {
    env: make('env'),
    output: make('output'),
    state: make('state'),
    path: make('path'),
    summary: make('summary'),
  };
}

/** A final line feed ends the last line. A carriage return belongs to its line. */
function splitLines(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

function readIfPresent(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return noBytes;
    throw error;
  }
}
