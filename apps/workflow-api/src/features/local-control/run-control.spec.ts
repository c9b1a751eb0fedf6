import { parseDag } from '@weir/workflow-spec';
import { systemClock } from '../../adapters/clock';
import { systemRandom } from '../../adapters/random-source';
import { createInlineParsers } from '../../dag-parser';
import {
  createInMemoryRunStore,
  createApprovals,
  createRunRetrier,
  createRunStarter,
  createRunStopper,
  type InMemoryRunStore,
} from '../dag-runs';
import { createRunRemover } from '../retention';
import { createRunControl } from './run-control';

const specText = 'name: demo\nsteps:\n  - name: a\n    run: echo a\n';

function build(beforeDequeue: (store: InMemoryRunStore) => Promise<unknown> = () => Promise.resolve()) {
  const store = createInMemoryRunStore();
  const { runs } = store;
  const startRun = createRunStarter({
    runs,
    clock: systemClock,
    random: systemRandom,
    logDir: '/logs',
    dagsDir: '/dags',
    workDir: '/work',
    artifactsDir: '/artifacts',
    onQueued: () => undefined,
  });
  const stopper = createRunStopper({ runs, clock: systemClock, onRequested: () => undefined });
  const parser = createInlineParsers().forRequests;
  const control = createRunControl({
    runs,
    gates: createApprovals({ runs, parser, clock: systemClock }),
    retrier: createRunRetrier({ runs, parser, clock: systemClock }),
    specs: { parse: () => Promise.reject(new Error('No text is read here.')) },
    startRun,
    stopper: {
      ...stopper,
      dequeue: async (run) => {
        await beforeDequeue(store);
        await stopper.dequeue(run);
      },
    },
    listSuspended: () => Promise.resolve([]),
    removeRun: createRunRemover({ runs, removeFiles: () => Promise.resolve() }),
  });
  const start = (name: string, dagRunId: string) => {
    const text = specText.replace('demo', name);
    const { dag } = parseDag(text, { name });
    return startRun({ dag, specText: text, baseTexts: [], fileName: name }, { dagRunId });
  };
  const queue = (runId: string) => start('demo', runId);
  return { control, queue, start };
}

describe('createRunControl', () => {
  it('goes on with the other queued runs of a DAG when one is claimed in the meantime', async () => {
    let isClaimed = false;
    const { control, queue } = build(async (store) => {
      if (isClaimed) return;
      isClaimed = true;
      await store.queue.claim({ owner: 'owner', at: systemClock.now(), from: 'queue' });
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

  it('finds a run by its id alone, unless several DAGs have one of this id', async () => {
    const { control, queue, start } = build();
    await queue('one');
    await expect(control.complete({ dagRunId: 'one', stepId: 'a', by: 'ada' })).rejects.toMatchObject({
      reason: 'step_not_found',
    });
    await expect(control.complete({ dagRunId: 'two', stepId: 'a', by: 'ada' })).rejects.toMatchObject({
      reason: 'dag_run_not_found',
    });
    await start('other', 'one');
    const order = { dagRunId: 'one', step: 'a', by: 'ada', decision: 'approve' } as const;
    await expect(control.decide(order)).rejects.toMatchObject({ reason: 'dag_run_ambiguous' });
    await expect(control.decide({ ...order, dagName: 'other' })).rejects.toMatchObject({ reason: 'step_not_waiting' });
  });

  it('gives the parameters of a run to nobody but a restart', async () => {
    const { control, queue } = build();
    await queue('one');
    await expect(control.paramsOf({ dagName: 'demo' })).resolves.toEqual({ dagRunId: 'one', params: '' });
    await expect(control.gates({ dagName: 'demo' })).resolves.toEqual([]);
    await expect(control.retry({ dagName: 'demo', dagRunId: 'one' })).rejects.toMatchObject({
      reason: 'dag_run_active',
    });
  });
});
