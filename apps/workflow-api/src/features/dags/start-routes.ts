import { AppError } from '@weir/foundation';
import { workflowContract } from '@weir/workflow-contract';
import { runStatus, type DagRun, type RunSource } from '@weir/workflow-engine/model';
import { hasErrors } from '@weir/workflow-spec';
import { requireRole } from '../../access/access-rules';
import type { Requester } from '../../access/audited-operation';
import type { Principal } from '../../access/principal';
import type { Bind } from '../../access/bind';
import { specInvalid } from '../../dag-parser/spec-errors';
import {
  planRun,
  presentRunDetails,
  startsAs,
  type DagRunRepository,
  type DagRunService,
  type StartOptions,
  type StartRun,
  type WaitForRun,
} from '../runs';
import { createDagAccess, type DagAccessDependencies } from './dag-access';
import { localOnly } from './dag-errors';

export interface StartRoutesDependencies extends DagAccessDependencies {
  readonly startRun: StartRun;
  readonly runs: Pick<DagRunRepository, 'find'>;
  readonly dagRuns: Pick<DagRunService, 'details'>;
  readonly waitForRun: WaitForRun;
  readonly dagsFolder: string;
}

interface StartRequest extends Omit<StartOptions, 'ownerId' | 'mayStartIn' | 'startedBy' | 'audit'> {
  /** The older name of `labels`. */
  readonly tags?: readonly string[] | undefined;
}

interface FileStart extends StartRequest {
  /** Replaces the name of the run's DAG in the file. */
  readonly dagName?: string | undefined;
}

interface SpecStart extends StartRequest {
  readonly spec: string;
  /** In place of the name in the spec. */
  readonly name?: string | undefined;
  readonly origin?: (Pick<StartOptions, 'triggerType' | 'priority'> & SpecOrigin) | undefined;
}

interface SpecOrigin extends Partial<Pick<RunSource, 'fileName'>> {
  readonly scheduleTime?: string | undefined;
}

/** Binds what starts runs of DAG files and of specs that are in no file. */
export function bindStartRoutes(bind: Bind, dependencies: StartRoutesDependencies): void {
  const { specs, startRun, dagRuns, dagsFolder } = dependencies;
  const { findRunnable } = createDagAccess(dependencies);

  const startFile = async (
    fileName: string,
    { dagName, ...request }: FileStart,
    requester: Requester,
  ): Promise<DagRun> => {
    const source = await findRunnable(fileName, requester.principal);
    const dag = dagName === undefined ? source.dag : { ...source.dag, name: dagName };
    return startRun({ ...source, dag }, toOptions(request, requester));
  };

  const readSpec = async ({ spec, name }: Pick<SpecStart, 'spec' | 'name'>, principal: Principal) => {
    // A spec without any name has a finding.
    const named = { name: name ?? '', overrideName: name !== undefined };
    const { dag, findings, baseTexts } = await specs.parse(spec, named);
    requireRole(principal, dag.workspace, 'developer');
    if (hasErrors(findings)) throw specInvalid(findings);
    return { dag, baseTexts };
  };

  const startSpec = async ({ spec, name, origin, ...request }: SpecStart, requester: Requester): Promise<DagRun> => {
    const { principal } = requester;
    if (origin !== undefined && principal.kind !== 'local') throw localOnly('origin');
    const { dag, baseTexts } = await readSpec({ spec, name }, principal);
    const { fileName = dag.name, scheduleTime, ...more } = origin ?? {};
    const occurrence = scheduleTime === undefined ? undefined : new Date(scheduleTime);
    const options = toOptions({ ...request, ...more, scheduleTime: occurrence }, requester);
    return startRun({ dag, specText: spec, baseTexts, fileName }, options);
  };

  bind(workflowContract.executeDag, async ({ input: { params, body }, principal, audit }) => {
    const { dagRunId } = await startFile(params.fileName, { ...body, isImmediate: true }, { principal, audit });
    return { dagRunId };
  });

  bind(workflowContract.enqueueDag, async ({ input: { params, body }, principal, audit }) => {
    const { queue: queueName, ...request } = body;
    const { dagRunId } = await startFile(params.fileName, { ...request, queueName }, { principal, audit });
    return { dagRunId };
  });

  bind(workflowContract.executeDagSync, async ({ input: { params, body }, principal, audit, signal }) => {
    const { timeout, ...request } = body;
    const run = await startFile(params.fileName, { ...request, isImmediate: true }, { principal, audit });
    const address = { name: run.dagName, dagRunId: run.dagRunId };
    await waitForEnd(dependencies, address, AbortSignal.any([signal, AbortSignal.timeout(timeout * 1000)]));
    return { dagRun: presentRunDetails(await dagRuns.details(address, principal)) };
  });

  bind(workflowContract.executeDagRunFromSpec, async ({ input: { body }, principal, audit }) => {
    const { dagRunId, dagName: name } = await startSpec({ ...body, isImmediate: true }, { principal, audit });
    return { dagRunId, name };
  });

  bind(workflowContract.enqueueDagRunFromSpec, async ({ input: { body }, principal, audit }) => {
    const { queue: queueName, ...request } = body;
    const { dagRunId, dagName: name } = await startSpec({ ...request, queueName }, { principal, audit });
    return { dagRunId, name };
  });

  bind(workflowContract.dryRunDag, async ({ input: { params, body }, principal }) => {
    return planRun(await findRunnable(params.fileName, principal), body, { dagsDir: dagsFolder });
  });

  bind(workflowContract.dryRunSpec, async ({ input: { body }, principal }) => {
    const { dag } = await readSpec(body, principal);
    return planRun({ dag, fileName: dag.name }, body, { dagsDir: dagsFolder });
  });
}

function toOptions({ tags, labels, ...request }: StartRequest, { principal, audit }: Requester): StartOptions {
  return { ...request, labels: labels?.length ? labels : tags, ...startsAs(principal), audit };
}

async function waitForEnd(
  { runs, waitForRun }: Pick<StartRoutesDependencies, 'runs' | 'waitForRun'>,
  { name, dagRunId }: { readonly name: string; readonly dagRunId: string },
  signal: AbortSignal,
): Promise<void> {
  const run = await runs.find(name, dagRunId);
  if (run === undefined) return;
  try {
    await waitForRun(run.id, (status) => runStatus.isTerminal(status) || status === 'waiting', signal);
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new AppError('wait_timeout', `The run "${dagRunId}" has not ended in time; it continues.`, {
      reason: 'dag_run_not_ended',
      details: { dagRunId },
      cause: error,
    });
  }
}
