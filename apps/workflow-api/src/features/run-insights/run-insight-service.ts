import type {
  DagRunDiffResponse,
  DagRunEnvironmentResponse,
  DagRunNeighbours,
  RunAttemptsResponse,
  RunAttempt as WireAttempt,
} from '@weir/workflow-contract/schemas';
import type { SeenStep } from '@weir/workflow-engine';
import { type DagRun, exitCodeOf, type RunAttempt } from '@weir/workflow-engine/model';
import type { Dag } from '@weir/workflow-spec';
import type { DagParser } from '../../dag-parser';
import type { RunFiles } from '../../run-files';
import { visibleWorkspaces } from '../../access/access-rules';
import type { Principal } from '../../access/principal';
import {
  noEarlierRun,
  parseStored,
  stepNotFound,
  presentOutputs,
  type DagRunRepository,
  type RunAddress,
  type RunAddresses,
  rfc3339,
} from '../runs';
import { compareRuns, type RunSide } from './compare-runs';
import { listFailures, type FailuresQuery } from './list-failures';
import { listEnvironment, type EnvironmentSources } from './run-environment';

export interface RunInsightDependencies extends Pick<EnvironmentSources, 'passthrough' | 'dagsDir'> {
  readonly hostEnvironment: EnvironmentSources['hostEnv'];
  readonly runs: Pick<
    DagRunRepository,
    'scan' | 'findById' | 'findNext' | 'listSteps' | 'listAllSteps' | 'listAttempts' | 'listFailedSteps' | 'readOutputs'
  >;
  readonly addresses: Pick<RunAddresses, 'toRead'>;
  readonly parser: DagParser;
  readonly runFiles: Pick<RunFiles, 'view'>;
}

const maxVariables = 2_000;

export interface OtherRun {
  /** Default: the previous run. */
  readonly dagRunId: string | undefined;
  /** Default: the DAG of the run. */
  readonly name: string | undefined;
}

export type RunInsightService = ReturnType<typeof createRunInsightService>;

/** Serves further facts about stored runs. Every operation throws `dag_run_not_found`. */
export function createRunInsightService(dependencies: RunInsightDependencies) {
  const { runs, addresses, parser } = dependencies;

  const readEnvironment = async (run: DagRun, step?: string) => {
    const [{ dag }, { dag: ownDag }] = await Promise.all([
      parseStored(parser, run),
      parseStored(parser, { ...run, baseTexts: [] }),
    ]);
    const { rootId } = run;
    const root = rootId === null ? undefined : await runs.findById(rootId);
    const sources = { ...dependencies, hostEnv: dependencies.hostEnvironment, run, root, dag, ownDag };
    const asked = step === undefined ? undefined : await readStep(run, dag, step);
    return { dag, variables: listEnvironment(sources, asked) };
  };

  const readStep = async ({ id }: DagRun, { steps: planned }: Dag, text: string): Promise<SeenStep> => {
    const index = planned.findIndex((step) => step.name === text || step.id === text);
    if (index < 0) throw stepNotFound(text);
    const [steps, outputs] = await Promise.all([runs.listSteps(id), runs.readOutputs(id)]);
    return { index, steps, outputs };
  };

  const readSide = async (run: DagRun): Promise<RunSide> => {
    const [steps, published, { variables }] = await Promise.all([
      runs.listSteps(run.id),
      runs.readOutputs(run.id),
      readEnvironment(run),
    ]);
    const environment = variables.filter(({ source, isReplaced }) => source !== 'host' && !isReplaced);
    return { run, steps, environment, outputs: presentOutputs(run, published).outputs };
  };

  const findOther = async (run: DagRun, { dagRunId, name }: OtherRun, principal: Principal): Promise<DagRun> => {
    if (dagRunId !== undefined) return addresses.toRead({ name: name ?? run.dagName, dagRunId }, principal);
    const workspaces = visibleWorkspaces(principal, { kind: 'all' });
    const [before] = await runs.scan({ dagName: name ?? run.dagName, workspaces, after: run, limit: 1 });
    if (before === undefined) throw noEarlierRun(run.dagRunId);
    return addresses.toRead({ name: before.dagName, dagRunId: before.dagRunId }, principal);
  };

  return {
    async compare(address: RunAddress, other: OtherRun, principal: Principal): Promise<DagRunDiffResponse> {
      const to = await addresses.toRead(address, principal);
      const from = await findOther(to, other, principal);
      return compareRuns(await readSide(from), await readSide(to));
    },

    async attempts(address: RunAddress, principal: Principal): Promise<RunAttemptsResponse> {
      return listRunAttempts(runs, await addresses.toRead(address, principal));
    },

    neighbours: async (address: RunAddress, principal: Principal): Promise<DagRunNeighbours> =>
      findNeighbours(runs, await addresses.toRead(address, principal), principal),

    failures: (query: FailuresQuery, principal: Principal) => listFailures(dependencies, query, principal),

    /** Also throws `step_not_found`. */
    async environment(
      address: RunAddress,
      step: string | undefined,
      principal: Principal,
    ): Promise<DagRunEnvironmentResponse> {
      const { dag, variables } = await readEnvironment(await addresses.toRead(address, principal), step);
      const shown = variables.slice(0, maxVariables);
      return { variables: shown, total: variables.length, files: [...(dag.dotenv ?? ['.env'])] };
    },
  };
}

/** Finds the previous and the next run of the DAG that the principal may see. */
async function findNeighbours(
  runs: Pick<DagRunRepository, 'scan' | 'findNext'>,
  run: DagRun,
  principal: Principal,
): Promise<DagRunNeighbours> {
  const workspaces = visibleWorkspaces(principal, { kind: 'all' });
  const [[previous], next] = await Promise.all([
    runs.scan({ dagName: run.dagName, workspaces, after: run, limit: 1 }),
    runs.findNext(run, workspaces),
  ]);
  return {
    ...(previous === undefined ? {} : { previous: previous.dagRunId }),
    ...(next === undefined ? {} : { next: next.dagRunId }),
  };
}

const maxAttempts = 200;

/** Lists the executions of a run; the end of the last one is the end of the run. */
async function listRunAttempts(
  runs: Pick<DagRunRepository, 'listAttempts' | 'listAllSteps'>,
  run: DagRun,
): Promise<RunAttemptsResponse> {
  const [stored, steps] = await Promise.all([runs.listAttempts(run.id, maxAttempts), runs.listAllSteps(run.id)]);
  const { status, finishedAt, error, ownerId } = run;
  const end = { status, finishedAt, error, ownerId, exitCode: exitCodeOf(steps) };
  const attempts = stored.length === 0 ? [firstOf(run)] : stored;
  return {
    attempts: attempts.map((attempt) =>
      present({ ...attempt, startedAt: attempt.startedAt ?? run.startedAt, ended: attempt.ended ?? end }),
    ),
    total: attempts.at(-1)?.number ?? 0,
  };
}

/** Describes a run that was executed once, or not yet. */
function firstOf({ attempt, startedAt }: DagRun): RunAttempt {
  return { number: 1, attempt, cause: 'start', reusedSteps: 0, startedAt };
}

function present({ number, attempt, cause, reusedSteps, startedAt, ended }: Required<RunAttempt>): WireAttempt {
  const { status, finishedAt, exitCode, error, ownerId } = ended;
  return {
    number,
    attemptId: `attempt-${attempt}`,
    cause,
    status,
    startedAt: startedAt === null ? '' : rfc3339(startedAt),
    finishedAt: finishedAt === null ? '' : rfc3339(finishedAt),
    ...(exitCode === null ? {} : { exitCode }),
    ...(error === null ? {} : { error }),
    ...(ownerId === null ? {} : { worker: ownerId }),
    reusedSteps,
  };
}
