import path from 'node:path';
import type { DagRunStep, DagRunSummary } from '@weir/workflow-engine/model';

export interface Folders {
  readonly logs: string;
  readonly data: string;
}

/** The folders of runs on the server and on this machine. Paths outside of them are the same on both. */
export interface FolderPair {
  readonly server: Folders;
  readonly own: Folders;
}

type RunPaths = Pick<DagRunSummary, 'logFile' | 'workDir' | 'artifactsDir'>;
type StepPaths = Pick<DagRunStep, 'stdoutFile' | 'stderrFile'>;

/** A run of the server with its files where this machine writes them. */
export function placeRun<Run extends RunPaths>(run: Run, { server, own }: FolderPair): Run {
  const move = (file: string): string => moved(file, server, own);
  return {
    ...run,
    logFile: move(run.logFile),
    workDir: move(run.workDir),
    artifactsDir: run.artifactsDir === null ? null : move(run.artifactsDir),
  };
}

export function placeStep<Step extends StepPaths>(step: Step, { server, own }: FolderPair): Step {
  return withFiles(step, (file) => moved(file, server, own));
}

/** The inverse, for what is stored by the server. */
export function toServerStep<Step extends StepPaths>(step: Step, { server, own }: FolderPair): Step {
  return withFiles(step, (file) => moved(file, own, server));
}

function withFiles<Step extends StepPaths>(step: Step, move: (file: string) => string): Step {
  return { ...step, stdoutFile: move(step.stdoutFile), stderrFile: move(step.stderrFile) };
}

function moved(file: string, from: Folders, to: Folders): string {
  for (const name of ['logs', 'data'] as const) {
    const root = `${from[name].replace(/\/+$/, '')}${path.sep}`;
    if (file.startsWith(root)) return path.join(to[name], file.slice(root.length));
  }
  return file;
}
