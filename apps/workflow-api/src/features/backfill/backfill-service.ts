import { runStatus, type Clock, type DagRunSummary } from '@weir/workflow-engine/model';
import type { Dag } from '@weir/workflow-spec';
import type { Occurrence, ScheduleTimes } from '@weir/workflow-spec/schedule';
import type { Requester } from '../../access/audited-operation';
import type { RandomSource } from '../../adapters/random-source';
import type { Principal } from '../../access/principal';
import { createStartRule, type DagRunRepository, type RunStopper, type StartCheck } from '../runs';
import { createDagAccess, type DagAccessDependencies } from '../dags';
import type { Backfill, BackfillRepository } from './backfill';
import { backfillActive, backfillEnded, backfillNotFound, noOccurrences, tooManyOccurrences } from './backfill-errors';
import { listRange, maxOccurrences, readRange } from './backfill-range';
import { dequeueRuns } from './dequeue-runs';
import { findOccurrenceRuns } from './occurrence-runs';

export interface BackfillServiceDependencies extends DagAccessDependencies {
  readonly backfills: BackfillRepository;
  readonly runs: Pick<DagRunRepository, 'listByRunIds'>;
  readonly stopper: Pick<RunStopper, 'dequeue'>;
  readonly checkStart: StartCheck;
  readonly times: ScheduleTimes;
  readonly clock: Clock;
  readonly random: Pick<RandomSource, 'uuid'>;
  /** Called after a backfill was stored. */
  readonly onStarted: () => void;
}

export interface BackfillRequest {
  readonly from: string;
  readonly to: string;
  readonly maxActive: number;
  readonly params?: string | undefined;
}

export interface BackfillPreview {
  readonly occurrences: readonly (Occurrence & { readonly run: DagRunSummary | undefined })[];
  readonly total: number;
}

export type BackfillService = ReturnType<typeof createBackfillService>;

const keptBackfills = 50;

/** Every operation throws `dag_not_found`; those on a backfill also throw `backfill_not_found`. */
export function createBackfillService(dependencies: BackfillServiceDependencies) {
  const { backfills, runs, stopper, checkStart, times, clock, random, onStarted } = dependencies;
  const { findVisible, findOperable, findRunnable } = createDagAccess(dependencies);

  const find = async (dagName: string, id: string): Promise<Backfill> => {
    const found = await backfills.find(id);
    if (found?.dagName !== dagName) throw backfillNotFound(id);
    return found;
  };

  return {
    async preview(
      fileName: string,
      asked: Pick<BackfillRequest, 'from' | 'to'>,
      principal: Principal,
    ): Promise<BackfillPreview> {
      const { dag } = await findVisible(fileName, principal);
      const all = listRange(times, dag.schedule, readRange(asked, clock.now()));
      return { occurrences: await withRuns(runs, dag.name, all.slice(0, maxOccurrences)), total: all.length };
    },

    async start(fileName: string, { maxActive, params, ...asked }: BackfillRequest, principal: Principal) {
      const source = await findRunnable(fileName, principal);
      const { dag } = source;
      const now = clock.now();
      const range = readRange(asked, now);
      const occurrences = listRange(times, dag.schedule, range).map(({ at }) => at);
      if (occurrences.length === 0) throw noOccurrences();
      if (occurrences.length > maxOccurrences) throw tooManyOccurrences(maxOccurrences);
      await checkStart(source, { params, mayStartIn: createStartRule(principal) });
      const backfill = {
        ...newBackfill(dag, { ...range, occurrences }),
        id: random.uuid(),
        fileName,
        author: principal.name,
        createdAt: now,
        maxActive,
        params: params ?? null,
      };
      if (!(await backfills.insert(backfill, keptBackfills))) throw backfillActive(dag.name);
      onStarted();
      return backfill;
    },

    async list(fileName: string, principal: Principal): Promise<readonly Backfill[]> {
      const { dag } = await findVisible(fileName, principal);
      return backfills.list(dag.name);
    },

    async get(fileName: string, id: string, principal: Principal) {
      const { dag } = await findVisible(fileName, principal);
      const backfill = await find(dag.name, id);
      const settled = backfill.occurrences.slice(0, backfill.position);
      return { backfill, runs: countByStatus(await findOccurrenceRuns(runs, dag.name, settled)) };
    },

    /** Also throws `role_missing` or `backfill_ended`. */
    async cancel(fileName: string, id: string, { principal, audit }: Requester): Promise<Backfill> {
      const { dag } = await findOperable(fileName, principal);
      await find(dag.name, id);
      if (!(await backfills.cancel(id, clock.now()))) throw backfillEnded(id);
      const cancelled = await find(dag.name, id);
      await dequeueRuns({ runs, stopper, audit, principal }, cancelled);
      return cancelled;
    },
  };
}

async function withRuns(
  runs: BackfillServiceDependencies['runs'],
  dagName: string,
  occurrences: readonly Occurrence[],
): Promise<BackfillPreview['occurrences']> {
  const moments = occurrences.map(({ at }) => at);
  const existing = await findOccurrenceRuns(runs, dagName, moments);
  return occurrences.map((occurrence) => ({ ...occurrence, run: existing.get(occurrence.at.getTime()) }));
}

type NewBackfill = Omit<Backfill, 'id' | 'fileName' | 'author' | 'createdAt' | 'maxActive' | 'params'>;

function newBackfill({ name, workspace }: Dag, range: Pick<Backfill, 'from' | 'to' | 'occurrences'>): NewBackfill {
  return {
    ...range,
    dagName: name,
    workspace: workspace ?? null,
    status: 'active',
    error: null,
    endedAt: null,
    position: 0,
    started: 0,
    existing: 0,
  };
}

function countByStatus(found: ReadonlyMap<number, DagRunSummary>) {
  const counts = runStatus.all.map((status) => ({
    statusLabel: status,
    count: [...found.values()].filter((run) => run.status === status).length,
  }));
  return counts.filter(({ count }) => count > 0);
}
