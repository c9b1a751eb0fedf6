import { waitFor } from '@weir/test-kit';
import type { DagRunDetails } from '@weir/workflow-contract/schemas';
import { onEachDatabase } from '../support/databases';
import { hangIn, isAlive, kill, startRuns, type RunsOfServer } from '../support/hanging-runs';
import { startWeir } from '../support/weir-server';

onEachDatabase((start) => {
  let runs: RunsOfServer | undefined;

  afterEach(() => runs?.dispose());

  it('resumes a run after kill -9: ended steps are not executed again, interrupted ones are if allowed', async () => {
    runs = await startRuns(start, {
      long: `type: chain
steps:
  - {name: one, run: echo one >> $HOME/t}
  - name: two
    run: echo two >> $HOME/t; ${hangIn('long')}
    retry_policy: {limit: 1, interval_sec: 0}
  - {name: three, run: echo three >> $HOME/t}
`,
    });
    await kill(runs.first);

    expect(await runs.goOn()).toMatchObject([
      {
        statusLabel: 'succeeded',
        nodes: [{ retryCount: 0 }, { retryCount: 1 }, { retryCount: 0 }],
      },
    ]);
    expect(runs.lines('t')).toEqual(['one', 'two', 'two', 'three']);
    const [pid = 0] = runs.pids;
    await waitFor(() => !isAlive(pid), { what: 'the orphan to end' });
  }, 90_000);

  it('releases a run to the next start when it is stopped', async () => {
    runs = await startRuns(start, {
      long: `type: chain
steps:
  - {name: one, run: echo one >> $HOME/t}
  - {name: two, idempotent: true, run: "echo two >> $HOME/t; ${hangIn('long')}"}
  - {name: three, run: echo three >> $HOME/t}
`,
    });

    expect(await runs.first.process.stop({ deadlineMs: 20_000 })).toEqual({ code: 0, signal: null });
    const [pid = 0] = runs.pids;
    expect(isAlive(pid)).toBe(false);
    expect(await runs.goOn()).toMatchObject([{ statusLabel: 'succeeded' }]);
    expect(runs.lines('t')).toEqual(['one', 'two', 'two', 'three']);
  }, 90_000);
});

/** DAGs whose runs hang, by the file below the home folder that their steps write to. */
const interrupted = {
  once: `type: chain
handler_on:
  failure: echo failure-$DAG_RUN_STATUS >> $HOME/once
  abort: echo abort >> $HOME/once
  exit: echo exit >> $HOME/once
steps:
  - {name: one, run: echo one >> $HOME/once}
  - {name: two, run: "echo two >> $HOME/once; ${hangIn('once')}"}
  - {name: three, run: echo three >> $HOME/once}
`,
  fenced: `steps:
  - name: one
    idempotent: true
    run: "echo $WEIR_IDEMPOTENCY_KEY $WEIR_FENCING_TOKEN >> $HOME/fenced; ${hangIn('fenced')}"
`,
  loop: `type: chain
steps:
  - {name: items, run: "echo items >> $HOME/loop; echo '[\\"a\\",\\"b\\",\\"c\\"]'", output: LIST}
  - id: each
    foreach:
      items: \${LIST}
      max_concurrent: 1
      steps:
        - {id: first, run: "echo first-\${foreach.item} >> $HOME/loop; echo \${foreach.item}", output: SAID}
        - id: second
          depends: first
          idempotent: true
          run: |
            echo second-$SAID >> $HOME/loop
            test $SAID != b || { ${hangIn('loop')}; }
      collect: {said: "\${steps.first.outputs.SAID}"}
  - {name: look, run: "echo '\${steps.each.outputs.said}' >> $HOME/loop"}
`,
  child: `type: chain
steps:
  - {id: call, action: dag.run, with: {dag: inner}}
  - {name: look, run: "echo \${steps.call.outputs.dagRunId} >> $HOME/child"}
---
name: inner
type: chain
steps:
  - {run: "echo before >> $HOME/child-before"}
  - {idempotent: true, run: "echo $DAG_RUN_ID >> $HOME/child; ${hangIn('child')}"}
`,
  handler: `handler_on:
  init: echo init >> $HOME/handler
  failure: echo failure >> $HOME/handler
  exit: {idempotent: true, run: "echo exit-$DAG_RUN_STATUS >> $HOME/handler; ${hangIn('handler')}"}
steps:
  - {name: one, run: echo one >> $HOME/handler; exit 1}
`,
  stopped: `handler_on: {abort: echo abort >> $HOME/stopped}
steps:
  - name: one
    idempotent: true
    signal_on_stop: SIGUSR1
    run: "trap '' USR1; echo one >> $HOME/stopped; ${hangIn('stopped')}"
`,
};
type Interrupted = keyof typeof interrupted;
const names = Object.keys(interrupted) as Interrupted[];

// One server has all of them when it is killed: each start of it costs more than a run.
describe('a run that resumes after kill -9', () => {
  let runs: RunsOfServer;
  let ended: Readonly<Record<Interrupted, DagRunDetails>>;

  beforeAll(async () => {
    runs = await startRuns(startWeir, interrupted);
    await runs.terminate('stopped');
    await kill(runs.first);
    const details = await runs.goOn();
    ended = Object.fromEntries(names.map((name, index) => [name, details[index]])) as typeof ended;
  }, 120_000);

  afterAll(() => runs.dispose());

  it('fails a step that may not be executed twice, and executes what follows from that', () => {
    expect(ended.once).toMatchObject({
      statusLabel: 'failed',
      nodes: [
        { statusLabel: 'succeeded' },
        { statusLabel: 'failed', error: 'owner lost' },
        { statusLabel: 'aborted', error: 'upstream failed' },
      ],
    });
    expect(runs.lines('once')).toEqual(['one', 'two', 'failure-failed', 'exit']);
  });

  it('gives a step the same key and a higher fencing token', () => {
    expect(ended.fenced).toMatchObject({ statusLabel: 'succeeded' });
    const [before, after] = runs.lines('fenced').map((line) => line.split(' '));
    expect(after?.[0]).toBe(before?.[0]);
    expect(Number(after?.[1])).toBeGreaterThan(Number(before?.[1]));
  });

  it('resumes inside a loop: ended iterations are not executed again', () => {
    expect(ended.loop).toMatchObject({ statusLabel: 'succeeded' });
    expect(runs.lines('loop')).toEqual([
      'items',
      'first-a',
      'second-a',
      'first-b',
      'second-b',
      'second-b',
      'first-c',
      'second-c',
      '["a","b","c"]',
    ]);
  });

  it('finds the child run that it had started, which resumes itself', () => {
    expect(ended.child).toMatchObject({ statusLabel: 'succeeded' });
    expect(runs.lines('child-before')).toEqual(['before']);
    expect(runs.lines('child')).toHaveLength(3);
    expect(new Set(runs.lines('child')).size).toBe(1);
  });

  it('resumes at the handler that was executing', () => {
    expect(ended.handler).toMatchObject({ statusLabel: 'failed' });
    expect(runs.lines('handler')).toEqual(['init', 'one', 'failure', 'exit-failed', 'exit-failed']);
  });

  it('aborts a run whose stop was requested while no worker executed it', () => {
    expect(ended.stopped).toMatchObject({ statusLabel: 'aborted' });
    expect(runs.lines('stopped')).toEqual(['one', 'abort']);
  });
});
