import { workflowContract, workspaceSelection } from '@weir/workflow-contract';
import type { Clock } from '@weir/workflow-engine';
import { paramsJsonSchema, type ScheduleTimes } from '@weir/workflow-spec';
import type { Bind } from '../../access/bind';
import { canSee, isVisible, visibleWorkspaces } from '../../access/access-rules';
import { loadParamSchema, type DagRunRepository } from '../runs';
import { findCallers } from './dag-callers';
import type { DagCatalog } from './dag-catalog';
import { listCalendar } from './dag-calendar';
import { listDagOccurrences, presentOccurrence } from './dag-occurrences';
import { createDagAccess, type DagAccessDependencies } from './dag-access';
import { listRecentParams } from './recent-params';
import type { Suspensions } from './suspensions';

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
    return { schema: { ...paramsJsonSchema(declared) } };
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
