import path from 'node:path';
import { AppError } from '@weir/foundation';
import { isRunId } from './run-id';

/** Both are the same file when the step has one log for both streams. */
export interface StepLogFiles {
  readonly stdoutFile: string;
  readonly stderrFile: string;
}

export interface RunLogLayout {
  /** `<logDir>/<DAG name>/<time>_<run id>`. */
  readonly folder: string;
  /** The log of the run itself. */
  readonly runLogFile: string;
  /** Per step, in the order given. */
  readonly steps: readonly StepLogFiles[];
}

export interface RunLogOptions {
  readonly logDir: string;
  readonly dagName: string;
  readonly runId: string;
  /** When the run was made; it leads the folder's name, so that folders sort by time. */
  readonly createdAt: Date;
  readonly stepNames: readonly string[];
  /** Whether a step has one log for both streams; none has when missing. */
  readonly isMerged?: (index: number) => boolean;
}

const maxSlugLength = 48;
const maxFolderNameLength = 200;

/**
 * Where a run writes its logs. Every path stays inside `logDir` and no two steps share a file, whatever the names
 * are. Throws `invalid_request` for an invalid run id and for a DAG name too long to be a folder.
 */
export function runLogLayout(options: RunLogOptions): RunLogLayout {
  const logDir = options.logDir.replace(/(?<=.)\/+$/, '');
  const { isMerged = () => false } = options;
  const { dagName, runId: dagRunId, createdAt } = options;
  const folder = `${logDir}/${runFolder({ dagName, dagRunId, createdAt })}`;
  return {
    folder,
    runLogFile: `${folder}/run.log`,
    steps: stepLogLayout({ folder, stepNames: options.stepNames, isMerged }),
  };
}

/** The log files of the steps of one scope, in the order given; no other scope uses `folder`. */
export function stepLogLayout({
  folder,
  stepNames,
  isMerged = () => false,
}: Pick<RunLogOptions, 'stepNames' | 'isMerged'> & { readonly folder: string }): readonly StepLogFiles[] {
  return stepNames.map((name, index) => {
    // The index alone makes the name unique; the slug is there for people.
    const base = `${folder}/${String(index).padStart(4, '0')}-${toSlug(name)}`;
    return isMerged(index) ? mergedLogFiles(base) : stepLogFiles(base);
  });
}

/** Where a run has its files below a folder for all runs: `<DAG name>/<time>_<run id>`. */
export function runFolder({
  dagName,
  dagRunId,
  createdAt,
}: {
  readonly dagName: string;
  readonly dagRunId: string;
  readonly createdAt: Date;
}): string {
  return `${dagFolderName(dagName)}/${runFolderName(dagRunId, createdAt)}`;
}

/** The folder that holds only files of this run; undefined for one that was stored before runs had such a folder. */
export function ownFolderOf(run: Parameters<typeof runFolder>[0] & { readonly workDir: string }): string | undefined {
  const folder = path.dirname(run.workDir);
  return folder.endsWith(path.sep + path.normalize(runFolder(run))) ? folder : undefined;
}

/** Where a run writes down the working trees of Git that it removes at its end. */
export function ownTreesFolder(run: Parameters<typeof ownFolderOf>[0]): string | undefined {
  const own = ownFolderOf(run);
  return own === undefined ? undefined : path.join(own, 'worktrees');
}

/** A DAG's name as the name of one folder. Different names give different folders. */
export function dagFolderName(dagName: string): string {
  const folder = Array.from(new TextEncoder().encode(dagName), encodeByte).join('').replace(/^\./, '%2E');
  if (folder === '' || folder.length > maxFolderNameLength) {
    throw new AppError('invalid_request', 'The name of the DAG cannot be used as a folder name.', {
      reason: 'dag_name_unusable',
    });
  }
  return folder;
}

/** `20261121T093000123Z_<run id>`, in UTC. */
export function runFolderName(runId: string, createdAt: Date): string {
  if (!isRunId(runId)) throw new AppError('invalid_request', 'The run id is not valid.', { reason: 'invalid_run_id' });
  return `${createdAt.toISOString().replace(/[-:.]/g, '')}_${runId}`;
}

/** Where a step writes the outputs that it declares: in the folder of its logs. */
export function stepOutputFile(stdoutFile: string): string {
  return `${stdoutFile.replace(/\.(out|log)$/, '')}.outputs`;
}

function stepLogFiles(base: string): StepLogFiles {
  return { stdoutFile: `${base}.out`, stderrFile: `${base}.err` };
}

function mergedLogFiles(base: string): StepLogFiles {
  return { stdoutFile: `${base}.log`, stderrFile: `${base}.log` };
}

function toSlug(name: string): string {
  const slug = name
    .replace(/[^A-Za-z0-9_]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, maxSlugLength)
    .replace(/-+$/, '');
  return slug === '' ? 'step' : slug;
}

function encodeByte(byte: number): string {
  const character = String.fromCharCode(byte);
  return /[A-Za-z0-9._-]/.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
}
