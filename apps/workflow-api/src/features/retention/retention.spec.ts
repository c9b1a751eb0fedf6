import { createManualClock, createRecordingLogger, waitFor } from '@weir/test-kit';
import { systemTimer, type Timer } from '@weir/workflow-engine/model';
import { aRun } from '@weir/workflow-engine/testing';
import { unaudited } from '../../access/audited-operation';
import { createInlineParser } from '../../dag-parser';
import { createInMemoryRunStore } from '../queue/in-memory-queue-driver';
import { inMemoryDagNames } from './dag-names';
import { createRunRemover } from './remove-run';
import { createRetention } from './retention';

const specText = 'hist_retention_runs: 1\nsteps:\n  - run: echo\n';

async function build({ timer = systemTimer, count = 3 }: { readonly timer?: Timer; readonly count?: number } = {}) {
  const { runs } = createInMemoryRunStore();
  for (let index = 0; index < count; index += 1) {
    const at = new Date(Date.UTC(2026, 10, 21, index));
    const id = `run-${index}`;
    const run = aRun({ id, dagRunId: id, dagName: 'demo', specText, status: 'succeeded', createdAt: at });
    await runs.insert({ ...run, finishedAt: at }, [], { audit: unaudited, singleton: false });
  }
  let freed = 0;
  const logger = createRecordingLogger();
  const retention = createRetention({
    runs,
    removeRun: createRunRemover({ runs, removeFiles: () => Promise.resolve() }),
    dagNamesAfter: inMemoryDagNames(runs),
    parser: createInlineParser(),
    freeSpace: () => Promise.resolve(void (freed += 1)),
    clock: createManualClock('2026-11-21T12:00:00Z'),
    timer,
    logger,
  });
  const left = async () =>
    (await runs.scan({ limit: 100, workspaces: { unassigned: true, named: 'all' } })).map(({ id }) => id);
  return { retention, left, freed: () => freed, logger };
}

describe('createRetention', () => {
  it('removes the scheduled runs that a DAG does not retain before it stops', async () => {
    const { retention, left } = await build();
    retention.schedule({ name: 'demo', histRetentionRuns: 2 });
    await retention.stop();

    expect(await left()).toEqual(['run-2', 'run-1']);
  });

  it('ignores DAGs that are scheduled after it has stopped', async () => {
    const { retention, left } = await build();
    await retention.stop();
    retention.schedule({ name: 'demo', histRetentionRuns: 1 });

    expect(await left()).toHaveLength(3);
  });

  it('uses the spec of the newest run in rounds, and frees space', async () => {
    const due: (() => void)[] = [];
    const timer: Timer = {
      start: (afterMs, wake) => {
        if (afterMs === 3_600_000) due.push(wake);
        else queueMicrotask(wake);
        return () => undefined;
      },
    };
    const { retention, left, freed } = await build({ timer });
    retention.start();
    await waitFor(() => due[0], { what: 'the pause before a round' });
    due[0]?.();
    await waitFor(() => (freed() === 1 ? true : undefined), { what: 'the end of the round' });

    expect(await left()).toEqual(['run-2']);
    await retention.stop();
  });
});
