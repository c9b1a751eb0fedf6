import { logTimesFile } from '@weir/workflow-engine';
import { nodeKey, nodeStatus, runStatus, type DagRun, type DagRunStep } from '@weir/workflow-engine/model';
import type { FileSource, LogSource, StreamName } from './reader';
import type { Principal } from '../../access/principal';
import { logGone, stepNotFound } from '../runs/store/dag-run-errors';
import type { RunAddress, RunAddresses } from '../runs/read/run-addresses';
import type { DagRunRepository } from '../runs/store/dag-run-repository';

/** What is read as text: a stream has one file. */
export interface LogSelection {
  /**
   * The step whose output is read, or else the handler of this name, or else the step in a loop with this address, such
   * as `each/0/load`. When omitted, the log of the run is read.
   */
  readonly stepName?: string | undefined;
  /** Default: `stdout`. */
  readonly stream?: StreamName | undefined;
  /** The attempt whose output is read. Default: all. */
  readonly attempt?: number | undefined;
}

export interface RunLog {
  /** Its file is an absolute path; empty before the step started. */
  readonly source: FileSource;
  /** The file name under which the log is saved. */
  readonly downloadName: string;
}

export interface SourceSelection extends Omit<LogSelection, 'stream'> {
  /** Default: `stdout`. */
  readonly stream?: StreamName | 'both' | undefined;
}

/** A log that may still grow. */
export interface LogState {
  readonly source: LogSource;
  /** The time when its step or run ended; the log of a run is written until shortly after its end. */
  readonly endedAt?: Date | undefined;
}

export type RunLogs = ReturnType<typeof createRunLogs>;

export interface RunLogsDependencies {
  readonly runs: Pick<DagRunRepository, 'findById' | 'listAllSteps'>;
  readonly addresses: Pick<RunAddresses, 'toRead'>;
}

/** Finds the log that a request names. Throws `dag_run_not_found` or `step_not_found`. */
export function createRunLogs({ runs, addresses }: RunLogsDependencies) {
  const findStep = async (run: DagRun, stepName: string): Promise<DagRunStep> => {
    const steps = await runs.listAllSteps(run.id);
    const named = steps.filter(({ name }) => name === stepName);
    const step =
      named.find(({ scope }) => scope === '') ??
      named.find(({ scope }) => isHandlerScope(scope)) ??
      findInLoops(steps, stepName);
    if (step === undefined) throw stepNotFound(stepName);
    return step;
  };
  return {
    async find(address: RunAddress, selection: LogSelection, principal: Principal): Promise<RunLog> {
      const run = await addresses.toRead(address, principal);
      const { stepName, stream = 'stdout', attempt } = selection;
      const base =
        address.subDAGRunId === undefined
          ? `${run.dagName}-${run.dagRunId}`
          : `${address.name}-${address.dagRunId}-sub-${run.dagRunId}`;
      if (stepName === undefined) {
        return { source: { kind: 'run', file: run.logFile }, downloadName: toFileName(`${base}-scheduler.log`) };
      }
      const suffix = attempt === undefined ? '' : `-attempt-${attempt}`;
      return {
        source: toTextSource(await findStep(run, stepName), { stream, attempt }),
        downloadName: toFileName(`${base}-${stepName}-${stream}${suffix}.log`),
      };
    },

    /** Returns the log as lines with their times. */
    async findSource(address: RunAddress, selection: SourceSelection, principal: Principal): Promise<LogSource> {
      const run = await addresses.toRead(address, principal);
      const { stepName } = selection;
      if (stepName === undefined) return { kind: 'run', file: run.logFile };
      return toSource(await findStep(run, stepName), selection);
    },

    /** Returns the id of the run whose log is to be followed. */
    async findRunId(address: RunAddress, principal: Principal): Promise<string> {
      return (await addresses.toRead(address, principal)).id;
    },

    /** Reads the state of a run that was found before; rights are not checked again. */
    async readState(runId: string, selection: SourceSelection): Promise<LogState> {
      const run = await runs.findById(runId);
      if (run === undefined) throw logGone();
      const runEndedAt = runStatus.isTerminal(run.status) ? (run.finishedAt ?? run.createdAt) : undefined;
      const { stepName } = selection;
      if (stepName === undefined) return { source: { kind: 'run', file: run.logFile }, endedAt: runEndedAt };
      const step = await findStep(run, stepName);
      const stepEndedAt = nodeStatus.isTerminal(step.status) ? (step.finishedAt ?? run.createdAt) : undefined;
      return { source: toSource(step, selection), endedAt: stepEndedAt ?? runEndedAt };
    },
  };
}

const isHandlerScope = (scope: string): boolean => /^on\/\w+$/.test(scope);

function findInLoops(steps: readonly DagRunStep[], address: string): DagRunStep | undefined {
  const candidates = steps.filter(({ name }) => address.endsWith(`/${name}`));
  if (candidates.length === 0) return undefined;
  const byKey = new Map(steps.map((step) => [nodeKey(step), step]));
  return candidates.find((step) => addressOf(step, byKey) === address);
}

/** The scope of an iteration is the key of the step of its loop, and the index of the iteration. */
function addressOf({ scope, name }: DagRunStep, byKey: ReadonlyMap<string, DagRunStep>): string {
  if (scope === '' || isHandlerScope(scope)) return name;
  const cut = scope.lastIndexOf('/');
  const loop = byKey.get(scope.slice(0, cut));
  return `${loop === undefined ? '' : addressOf(loop, byKey)}${scope.slice(cut)}/${name}`;
}

/** The times of a whole log say nothing about its text, and need not be read. */
function toTextSource(step: DagRunStep, selection: FileSelection): FileSource {
  const source = toFileSource(step, selection);
  return selection.attempt === undefined ? { ...source, timesFile: '' } : source;
}

function toSource(step: DagRunStep, { stream = 'stdout', attempt }: SourceSelection): LogSource {
  const { stdoutFile, stderrFile } = step;
  // One file for both streams has their lines in order.
  if (stdoutFile === stderrFile) return toFileSource(step, { stream: 'stdout', attempt });
  if (stream !== 'both') return toFileSource(step, { stream, attempt });
  const timesFile = timesFileOf(step);
  return { kind: 'both', stdoutFile, stderrFile, timesFile, isEnded: nodeStatus.isTerminal(step.status), attempt };
}

type StreamSource = Extract<FileSource, { readonly kind: 'stream' }>;

interface FileSelection {
  readonly stream: StreamName;
  readonly attempt: number | undefined;
}

function toFileSource(step: DagRunStep, { stream, attempt }: FileSelection): StreamSource {
  const { stdoutFile, stderrFile } = step;
  const file = stream === 'stderr' ? stderrFile : stdoutFile;
  // The times of a file for both streams are those of standard output.
  const timed = stdoutFile === stderrFile ? 'stdout' : stream;
  return { kind: 'stream', stream: timed, file, timesFile: timesFileOf(step), attempt };
}

function timesFileOf({ stdoutFile }: DagRunStep): string {
  return stdoutFile === '' ? '' : logTimesFile(stdoutFile);
}

function toFileName(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9_.-]/g, '_');
}
