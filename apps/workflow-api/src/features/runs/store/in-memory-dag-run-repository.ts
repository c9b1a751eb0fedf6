import { runStatus, type DagRun, type DagRunStep } from '@weir/workflow-engine/model';
import { createInMemoryAcceptedFiles } from './accepted-files';
import { dagRunActive, dagRunExists, fileAccepted } from './dag-run-errors';
import { announceNewRun, createRunCommit } from './commit-run';
import type { DagRunRepository } from './dag-run-repository';
import { createRunReads, createStepReads, find, hasActive } from './in-memory-run-reads';
import { createInMemoryRunStorage } from './in-memory-run-storage';
import { comparePositions, createRunTables, findChildren, type RunTables } from './in-memory-run-tables';
import { toQueueItem } from './queue-item';

/** Creates a repository for specs. It passes the same contract specs as the Prisma repository. */
export function createInMemoryDagRunRepository(tables: RunTables = createRunTables()): DagRunRepository {
  const { announce } = tables.runChanges;
  return {
    subscribe: tables.listeners.subscribe,
    watch: () => Promise.resolve(() => Promise.resolve()),
    ...createRunReads(tables),
    ...createStepReads(tables),
    acceptedFiles: createInMemoryAcceptedFiles(tables.acceptedFiles),
    commit: createRunCommit(createInMemoryRunStorage(tables), announce),
    // The functions that can refuse are async, so that a refusal is a rejection as with a database.
    insert: async (run, steps, { singleton, isUnlimited, outputs, firstAttempt, accepted = [] }) => {
      if (singleton && hasActive(tables.runs, run.dagName)) throw dagRunActive(run.dagName);
      if (find(tables.runs, run.dagName, run.dagRunId) !== undefined) throw dagRunExists(run.dagRunId);
      const { dagName, dagRunId } = run;
      const idOf = (key: string): string => `${dagName}\0${key}`;
      if (accepted.some(({ key }) => tables.acceptedFiles.has(idOf(key)))) throw fileAccepted();
      for (const file of accepted) tables.acceptedFiles.set(idOf(file.key), { ...file, dagName, dagRunId });
      insertRun(tables, run, steps);
      if (firstAttempt !== undefined)
        tables.attempts.set(run.id, [{ number: 1, attempt: 1, startedAt: null, ...firstAttempt }]);
      // The key of a step of the DAG is its position.
      tables.outputs.set(run.id, new Map([...(outputs ?? [])].map(([position, value]) => [String(position), value])));
      if (runStatus.isInQueue(run.status)) {
        tables.items.set(run.id, toQueueItem(run, run.queuedAt ?? run.createdAt, isUnlimited));
      }
      await Promise.resolve();
      announceNewRun(run, announce);
    },
    remove: (id) => {
      const isRemoved = removeRun(tables, id);
      if (isRemoved) announce({ runId: id });
      return Promise.resolve(isRemoved);
    },
  };
}

function insertRun({ runs, steps, heads }: RunTables, run: DagRun, newSteps: readonly DagRunStep[]): void {
  runs.set(run.id, run);
  steps.set(run.id, newSteps);
  const head = runs.get(heads.get(run.dagName) ?? '');
  if (run.depth === 0 && (head === undefined || head.createdAt <= run.createdAt)) heads.set(run.dagName, run.id);
}

function removeRun(tables: RunTables, id: string): boolean {
  const { runs, steps, outputs, memos, attempts, heads, listeners } = tables;
  const run = runs.get(id);
  if (run === undefined) return false;
  const family = listFamily(tables, run);
  if (family.some(({ status }) => runStatus.isActive(status))) return false;
  for (const member of family) {
    for (const table of [runs, steps, outputs, memos, attempts]) table.delete(member.id);
    listeners.notify(member.id);
  }
  if (heads.get(run.dagName) === id) moveHeadBack(tables, run.dagName);
  return true;
}

/** Lists the run and all its descendants. */
function listFamily(tables: RunTables, run: DagRun): readonly DagRun[] {
  return [run, ...findChildren(tables, run.id).flatMap((child) => listFamily(tables, child))];
}

function moveHeadBack({ runs, heads }: RunTables, dagName: string): void {
  const others = [...runs.values()].filter((run) => run.depth === 0 && run.dagName === dagName);
  const newest = others.toSorted(comparePositions).at(-1);
  if (newest === undefined) heads.delete(dagName);
  else heads.set(dagName, newest.id);
}
