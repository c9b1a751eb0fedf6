import type { Clock } from '../../adapters/clock';
import type { DagParser } from '../../dag-parser';
import { canSee, requireRole, type Principal } from '../auth';
import { basesOf, type DagRun } from './dag-run';
import { dagRunNotFound, stepNotFound } from './dag-run-errors';
import { listDagRuns, type RunListQuery, type RunPage } from './dag-run-list';
import type { RunWithSteps } from './dag-run-presenter';
import type { DagRunRepository } from './dag-run-repository';
import type { RunStopper } from './run-stopper';
import { readLogLines, type LogPart, type LogRange } from './log-lines';

export interface DagRunServiceDependencies {
  readonly runs: DagRunRepository;
  readonly parser: DagParser;
  readonly clock: Clock;
  readonly stopper: RunStopper;
  /** Whether the DAGs folder holds a file of this name. */
  readonly hasDagFile: (fileName: string) => Promise<boolean>;
}

export interface StepLogRequest extends LogRange {
  readonly stepName: string;
  readonly stream?: 'stdout' | 'stderr' | undefined;
}

export type DagRunService = ReturnType<typeof createDagRunService>;

const latest = 'latest';

export function createDagRunService({ runs, parser, clock, stopper, hasDagFile }: DagRunServiceDependencies) {
  const visibleRun = (run: DagRun | undefined, name: string, id: string, principal: Principal): DagRun => {
    if (run === undefined || !canSee(principal, run.workspace ?? undefined)) throw dagRunNotFound(name, id);
    return run;
  };
  /** The id `latest` stands for the newest run. */
  const addressedRun = async (name: string, dagRunId: string, principal: Principal): Promise<DagRun> => {
    const found = dagRunId === latest ? await runs.findLatest(name) : await runs.find(name, dagRunId);
    return visibleRun(found, name, dagRunId, principal);
  };

  /** By its own id alone: what is changed is named exactly. */
  const runToChange = async (name: string, dagRunId: string, principal: Principal): Promise<DagRun> => {
    const run = visibleRun(await runs.find(name, dagRunId), name, dagRunId, principal);
    requireRole(principal, run.workspace ?? undefined, 'operator');
    return run;
  };

  return {
    list: (query: RunListQuery, principal: Principal): Promise<RunPage> =>
      listDagRuns({ runs, clock }, query, principal),

    async details(name: string, dagRunId: string, principal: Principal): Promise<RunWithSteps> {
      return withSteps(await addressedRun(name, dagRunId, principal));
    },

    /** With its steps, as a detail view needs it; the caller has settled that it may be seen. */
    async latestOf(dagName: string): Promise<RunWithSteps | undefined> {
      const run = await runs.findLatest(dagName);
      return run === undefined ? undefined : withSteps(run);
    },

    /** Throws `dag_run_not_found`, `role_missing` or `not_running`. */
    async stop(name: string, dagRunId: string, principal: Principal): Promise<void> {
      await stopper.stop(await runToChange(name, dagRunId, principal));
    },

    /** Throws `dag_run_not_found`, `role_missing` or `not_queued`. */
    async dequeue(name: string, dagRunId: string, principal: Principal): Promise<void> {
      await stopper.dequeue(await runToChange(name, dagRunId, principal));
    },

    async log(
      { name, dagRunId }: { readonly name: string; readonly dagRunId: string },
      range: LogRange,
      principal: Principal,
      signal?: AbortSignal,
    ): Promise<LogPart> {
      const run = await addressedRun(name, dagRunId, principal);
      return readLogLines(run.logFile, range, signal);
    },

    async stepLog(
      { name, dagRunId }: { readonly name: string; readonly dagRunId: string },
      request: StepLogRequest,
      principal: Principal,
      signal?: AbortSignal,
    ): Promise<LogPart> {
      const run = await addressedRun(name, dagRunId, principal);
      const step = (await runs.stepsOf(run.id)).find((candidate) => candidate.name === request.stepName);
      if (step === undefined) throw stepNotFound(request.stepName);
      return readLogLines(request.stream === 'stderr' ? step.stderrFile : step.stdoutFile, request, signal);
    },
  };

  async function withSteps(run: DagRun): Promise<RunWithSteps> {
    const [steps, hasSourceFile] = await Promise.all([
      runs.stepsOf(run.id),
      run.fileName === null ? false : hasDagFile(run.fileName),
    ]);
    const { dag } = await parser.parse(run.specText, { name: run.dagName, overrideName: true, bases: basesOf(run) });
    return { run, steps, specSteps: dag.steps, hasSourceFile };
  }
}
