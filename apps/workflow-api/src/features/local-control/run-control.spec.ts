import { parseDag } from '@weir/workflow-spec';
import { systemClock } from '../../adapters/clock';
import { systemRandom } from '../../adapters/random-source';
import { createInMemoryDagRunRepository, createRunStarter, createRunStopper, type DagRunRepository } from '../dag-runs';
import { createRunControl } from './run-control';

const specText = 'name: demo\nsteps:\n  - name: a\n    run: echo a\n';

function build(beforeDequeue: (runs: DagRunRepository, id: string) => Promise<unknown> = () => Promise.resolve()) {
  const runs = createInMemoryDagRunRepository();
  const startRun = createRunStarter({
    runs,
    clock: systemClock,
    random: systemRandom,
    logDir: '/logs',
    dagsDir: '/dags',
    workDir: '/work',
    onQueued: () => undefined,
  });
  const stopper = createRunStopper({ runs, clock: systemClock, onRequested: () => undefined });
  const control = createRunControl({
    runs,
    specs: { parse: () => Promise.reject(new Error('No text is read here.')) },
    startRun,
    stopper: {
      ...stopper,
      dequeue: async (run) => {
        await beforeDequeue(runs, run.id);
        await stopper.dequeue(run);
      },
    },
    listSuspended: () => Promise.resolve([]),
    removeFiles: () => Promise.resolve(),
  });
  const { dag } = parseDag(specText, { name: 'demo' });
  const queue = (runId: string) => startRun({ dag, specText, baseTexts: [], fileName: 'demo' }, { dagRunId: runId });
  return { control, queue };
}

describe('createRunControl', () => {
  it('goes on with the other queued runs of a DAG when one is claimed in the meantime', async () => {
    let isClaimed = false;
    const { control, queue } = build(async (runs, id) => {
      if (isClaimed) return;
      isClaimed = true;
      await runs.claim(id, 'owner', systemClock.now());
    });
    await queue('one');
    await queue('two');

    await expect(control.dequeue({ dagName: 'demo' })).resolves.toHaveLength(1);
  });

  it.each(['stop', 'dequeue', 'remove'] as const)('takes "latest" for no id of a run to %s', async (action) => {
    const { control, queue } = build();
    await queue('one');

    const acted = control[action]({ dagName: 'demo', dagRunId: 'latest' });

    await expect(acted).rejects.toMatchObject({ reason: 'dag_run_not_found' });
  });
});
