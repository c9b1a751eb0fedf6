import path from 'node:path';
import { workflowContract, workspaceSelection } from '@weir/workflow-contract';
import { type Clock, runStatus } from '@weir/workflow-engine/model';
import { paramsJsonSchema } from '@weir/workflow-spec/values';
import type { ScheduleTimes } from '@weir/workflow-spec/schedule';
import type { Bind } from '../../access/bind';
import { canSee, isVisible, visibleWorkspaces } from '../../access/access-rules';
import { loadParamSchema, type DagRunRepository } from '../runs';
import type { DagCatalog } from './dag-catalog';
import { listCalendar } from './dag-calendar';
import { listDagOccurrences, presentOccurrence } from './dag-occurrences';
import { createDagAccess, type DagAccessDependencies } from './dag-access';
import type { Suspensions } from './suspensions';
import type { DagEntry } from './dag-entry';
import type { Principal } from '../../access/principal';

export interface DagInsightDependencies extends DagAccessDependencies {
  readonly catalog: Pick<DagCatalog, 'ready' | 'entries' | 'suspensionChanged'>;
  readonly suspensions: Suspensions;
  readonly runs: Pick<DagRunRepository, 'scan'>;
  readonly times: ScheduleTimes;
  readonly clock: Clock;
  readonly dagsFolder: string;
}

/** Binds the operations that are answered from specs: when a DAG is due, what it needs, and which DAGs call it. */
export function bindDagInsightRoutes(bind: Bind, dependencies: DagInsightDependencies): void {
  const { catalog, suspensions, runs, times, clock, dagsFolder } = dependencies;
  const { findVisible } = createDagAccess(dependencies);
  const readAfter = (after: string | undefined): Date => (after === undefined ? clock.now() : new Date(after));

  bind(workflowContract.getDagOccurrences, async ({ input: { params, query }, principal }) => {
    const { dag } = await findVisible(params.fileName, principal);
    catalog.suspensionChanged(await suspensions.refresh());
    const occurrences = listDagOccurrences(times, dag, { after: readAfter(query.after), count: query.count });
    return { occurrences: occurrences.map(presentOccurrence), suspended: suspensions.has(params.fileName) };
  });

  bind(workflowContract.getCalendar, async ({ input: { query }, principal, signal }) => {
    const visible = visibleWorkspaces(principal, workspaceSelection(query));
    await catalog.ready(signal);
    catalog.suspensionChanged(await suspensions.refresh());
    const range = { after: readAfter(query.after), to: new Date(query.to), count: query.limit + 1 };
    const entries = catalog.entries.all().filter(({ dag }) => isVisible(visible, dag.workspace));
    const found = listCalendar(times, entries, range);
    const occurrences = found.slice(0, query.limit).map(({ fileName, name, ...occurrence }) => ({
      fileName,
      name,
      suspended: suspensions.has(fileName),
      ...presentOccurrence(occurrence),
    }));
    return { occurrences, hasMore: found.length > query.limit };
  });

  bind(workflowContract.getDagParamsSchema, async ({ input: { params }, principal }) => {
    const { dag } = await findVisible(params.fileName, principal);
    const declared = await loadParamSchema({ dag, fileName: params.fileName, dagsDir: dagsFolder });
    const { runConfig } = dag;
    return { schema: { ...paramsJsonSchema(declared) }, ...(runConfig && { runConfig: { ...runConfig } }) };
  });

  bind(workflowContract.getDagRecentParams, async ({ input: { params }, principal }) => {
    const { dag } = await findVisible(params.fileName, principal);
    return { recent: await listRecentParams(runs, dag.name, principal) };
  });

  bind(workflowContract.getDagCallers, async ({ input: { params }, principal, signal }) => {
    await findVisible(params.fileName, principal);
    await catalog.ready(signal);
    const visible = catalog.entries.all().filter(({ dag }) => canSee(principal, dag.workspace));
    return { callers: findCallers(visible, params.fileName, dagsFolder) };
  });
}

const extension = /\.ya?ml$/;

/** Finds the DAGs whose specs name this one, by name or by path, with the steps that do. */
function findCallers(
  entries: readonly Pick<DagEntry, 'fileName' | 'dag' | 'calls'>[],
  fileName: string,
  dagsFolder: string,
) {
  return entries.flatMap(({ fileName: caller, dag, calls }) => {
    const steps = calls.filter((call) => namesFile(call.dag, fileName, dagsFolder)).map(({ step }) => step);
    if (steps.length === 0) return [];
    const { name, workspace } = dag;
    return [{ fileName: caller, name, ...(workspace === undefined ? {} : { workspace }), steps: [...new Set(steps)] }];
  });
}

function namesFile(call: string, fileName: string, dagsFolder: string): boolean {
  if (!call.includes('/') && !extension.test(call)) return call === fileName;
  return path.resolve(dagsFolder, call).replace(extension, '') === path.join(dagsFolder, fileName);
}

const scannedRuns = 100;

const shownParams = 10;

/** Lists the different parameters of the last runs of a DAG, the newest first. */
async function listRecentParams(runs: Pick<DagRunRepository, 'scan'>, dagName: string, principal: Principal) {
  const workspaces = visibleWorkspaces(principal, { kind: 'all' });
  const found = await runs.scan({ dagName, workspaces, limit: scannedRuns });
  // A map keeps the last value of equal keys.
  const newest = new Map(
    found
      .filter(({ params }) => params !== '')
      .toReversed()
      .map((run) => [run.params, run]),
  );
  return [...newest.values()]
    .toSorted((left, right) => right.createdAt.getTime() - left.createdAt.getTime())
    .slice(0, shownParams)
    .map(({ params, dagRunId, createdAt, status }) => ({
      params,
      dagRunId,
      createdAt: createdAt.toISOString(),
      status: runStatus.toNumber(status),
      statusLabel: status,
    }));
}
