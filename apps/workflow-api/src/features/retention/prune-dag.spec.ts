import type { DagRun } from '@weir/workflow-engine/model';
import { unaudited } from '../../access/audited-operation';
import { createInMemoryRunStore } from '../queue/in-memory-queue-driver';
import { aRun } from '@weir/workflow-engine/testing';
import { pruneDag } from './prune-dag';
import { createRunRemover } from './remove-run';
import type { RetentionRule } from './retention-rule';

const now = new Date('2026-11-21T12:00:00Z');
const dayMs = 86_400_000;
const ago = (days: number): Date => new Date(now.getTime() - days * dayMs);

/** Ended `days` ago, and made an hour before that. */
const ended = (days: number, more: Partial<DagRun> = {}): DagRun =>
  aRun({
    id: `d${days}`,
    dagName: 'nightly',
    dagRunId: `d${days}`,
    status: 'succeeded',
    createdAt: new Date(ago(days).getTime() - dayMs / 24),
    finishedAt: ago(days),
    ...more,
  });

async function prune(rule: RetentionRule, given: readonly DagRun[], maxScanned = 1_000) {
  const { runs } = createInMemoryRunStore();
  for (const run of given) await runs.insert(run, [], { audit: unaudited, singleton: false });
  const files: string[] = [];
  const removeRun = createRunRemover({ runs, removeFiles: ({ id }) => Promise.resolve(void files.push(id)) });
  const removed = await pruneDag(
    { runs, removeRun, clock: { now: () => now } },
    { dagName: 'nightly', rule, maxScanned, signal: new AbortController().signal },
  );
  const left: string[] = [];
  for (const { id } of given) if ((await runs.findById(id)) !== undefined) left.push(id);
  return { removed, left, files };
}

describe('pruneDag', () => {
  it('removes runs that ended longer ago than the days, with their files', async () => {
    const runs = [ended(0), ended(29), ended(31), ended(90)];

    expect(await prune({ kind: 'days', days: 30 }, runs)).toEqual({
      removed: 2,
      left: ['d0', 'd29'],
      files: ['d31', 'd90'],
    });
  });

  it('uses the end of a run and not its creation', async () => {
    const long = ended(1, { id: 'long', dagRunId: 'long', createdAt: ago(40) });

    expect((await prune({ kind: 'days', days: 30 }, [ended(0), long])).left).toEqual(['d0', 'long']);
  });

  it('retains the newest run at any age', async () => {
    expect((await prune({ kind: 'days', days: 0 }, [ended(100), ended(200)])).left).toEqual(['d100']);
    expect((await prune({ kind: 'days', days: 30 }, [ended(100)])).left).toEqual(['d100']);
  });

  it('retains the configured number of newest runs', async () => {
    const runs = [ended(0), ended(1), ended(2), ended(3)];

    expect((await prune({ kind: 'runs', runs: 2 }, runs)).left).toEqual(['d0', 'd1']);
    expect((await prune({ kind: 'runs', runs: 4 }, runs)).left).toHaveLength(4);
    expect((await prune({ kind: 'runs', runs: 600 }, runs)).left).toHaveLength(4);
  });

  it.each(['queued', 'running', 'waiting'] as const)('never removes a run that is %s', async (status) => {
    const active = ended(100, { id: 'active', dagRunId: 'active', status, finishedAt: null });

    expect((await prune({ kind: 'runs', runs: 1 }, [ended(0), active])).left).toEqual(['d0', 'active']);
  });

  it('retains a failed run that waits for an automatic retry', async () => {
    const retried = ended(100, { status: 'failed', retryAt: now });

    expect((await prune({ kind: 'runs', runs: 1 }, [ended(0), retried])).left).toEqual(['d0', 'd100']);
  });

  it('ignores other DAGs', async () => {
    const other = ended(100, { dagName: 'hourly' });

    expect((await prune({ kind: 'days', days: 1 }, [ended(0), ended(50), other])).left).toEqual(['d0', 'd100']);
  });

  it('removes the runs below a run with it, unless one of them is active', async () => {
    const child = (id: string, of: string, more: Partial<DagRun> = {}) =>
      ended(50, { id, dagRunId: id, dagName: 'child', depth: 1, parentId: of, parentNode: '0', rootId: of, ...more });
    const runs = [
      ended(0),
      ended(50),
      child('done', 'd50'),
      child('below', 'done', { depth: 2, rootId: 'd50' }),
      ended(60),
      child('busy', 'd60', { status: 'running', finishedAt: null }),
    ];

    expect(await prune({ kind: 'days', days: 30 }, runs)).toEqual({
      removed: 1,
      left: ['d0', 'd60', 'busy'],
      files: ['d50', 'done', 'below'],
    });
  });

  it('reads a bounded number of runs at a time', async () => {
    const runs = [ended(0), ...Array.from({ length: 250 }, (_, index) => ended(index + 40))];

    expect((await prune({ kind: 'days', days: 30 }, runs, 200)).removed).toBe(200);
  });
});
