import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { waitFor } from '@weir/test-kit';
import { onEachDatabase, type Start } from './support/databases';
import { setUpAdmin } from './support/people';
import { endOfRun } from './support/runs';
import { startWeir, type Weir } from './support/weir-server';

let weir: Weir | undefined;

afterEach(() => weir?.dispose());

/**
 * Says that it is there, with its process, and stays until there is a file `again`. It says so late enough that its
 * process was recorded: one that was not is nobody's to end.
 */
const hang = 'test -e $HOME/again || { sleep 1; echo $$ > $HOME/pid; exec sleep 300; }';

/** A run that has come to a step that hangs. */
const startRun = async (start: Start, spec: string) => {
  const first = await start({ env: { WEIR_SKIP_EXAMPLES: 'true' } });
  weir = first;
  const token = await setUpAdmin(first);
  const client = first.createClient(token);
  await client.createNewDag({ body: { name: 'long', spec } });
  const { dagRunId } = await client.executeDag({ params: { fileName: 'long' }, body: {} });
  const file = (name: string): string => first.home.file(name);
  const pid = await waitFor(() => Number(readText(file('pid'))), {
    what: 'the step to tell its process id',
    deadlineMs: 20_000,
  });
  return {
    first,
    pid,
    terminate: () => client.terminateDagRun({ params: { name: 'long', dagRunId } }),
    lines: (name = 't') => readText(file(name)).split('\n').filter(Boolean),
    /** Starts the server again, and waits for the end of the run. */
    goOn: async () => {
      writeFileSync(file('again'), '');
      const second = await first.restart();
      weir = second;
      return endOfRun(second, token, 'long', dagRunId);
    },
  };
};

const readText = (file: string): string => (existsSync(file) ? readFileSync(file, 'utf8') : '');

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

const kill = (server: Weir) => server.process.stop({ signal: 'SIGKILL' });

onEachDatabase((start) => {
  it('resumes a run after kill -9: steps that had ended are not executed again, interrupted ones are where allowed', async () => {
    const { first, pid, lines, goOn } = await startRun(
      start,
      `type: chain
steps:
  - {name: one, run: echo one >> $HOME/t}
  - name: two
    run: echo two >> $HOME/t; ${hang}
    retry_policy: {limit: 1, interval_sec: 0}
  - {name: three, run: echo three >> $HOME/t}
`,
    );
    await kill(first);

    expect(await goOn()).toMatchObject({
      statusLabel: 'succeeded',
      nodes: [{ retryCount: 0 }, { retryCount: 1 }, { retryCount: 0 }],
    });
    expect(lines()).toEqual(['one', 'two', 'two', 'three']);
    await waitFor(() => !isAlive(pid), { what: 'the orphan to end' });
  }, 90_000);

  it('releases a run to the next start when it is stopped', async () => {
    const { first, pid, lines, goOn } = await startRun(
      start,
      `type: chain
steps:
  - {name: one, run: echo one >> $HOME/t}
  - {name: two, idempotent: true, run: "echo two >> $HOME/t; ${hang}"}
  - {name: three, run: echo three >> $HOME/t}
`,
    );

    expect(await first.process.stop({ deadlineMs: 20_000 })).toEqual({ code: 0, signal: null });
    expect(isAlive(pid)).toBe(false);
    expect(await goOn()).toMatchObject({ statusLabel: 'succeeded' });
    expect(lines()).toEqual(['one', 'two', 'two', 'three']);
  }, 90_000);
});

describe('a run that resumes after kill -9', () => {
  it('fails a step that may not be executed twice, and executes what follows from that', async () => {
    const { first, lines, goOn } = await startRun(
      startWeir,
      `type: chain
handler_on:
  failure: echo failure-$DAG_RUN_STATUS >> $HOME/t
  abort: echo abort >> $HOME/t
  exit: echo exit >> $HOME/t
steps:
  - {name: one, run: echo one >> $HOME/t}
  - {name: two, run: "echo two >> $HOME/t; ${hang}"}
  - {name: three, run: echo three >> $HOME/t}
`,
    );
    await kill(first);

    expect(await goOn()).toMatchObject({
      statusLabel: 'failed',
      nodes: [
        { statusLabel: 'succeeded' },
        { statusLabel: 'failed', error: 'owner lost' },
        { statusLabel: 'aborted', error: 'upstream failed' },
      ],
    });
    expect(lines()).toEqual(['one', 'two', 'failure-failed', 'exit']);
  }, 60_000);

  it('gives a step the same key and a higher fencing token', async () => {
    const { first, lines, goOn } = await startRun(
      startWeir,
      `steps:
  - {name: one, idempotent: true, run: "echo $WEIR_IDEMPOTENCY_KEY $WEIR_FENCING_TOKEN >> $HOME/t; ${hang}"}
`,
    );
    await kill(first);

    expect(await goOn()).toMatchObject({ statusLabel: 'succeeded' });
    const [before, after] = lines().map((line) => line.split(' '));
    expect(after?.[0]).toBe(before?.[0]);
    expect(Number(after?.[1])).toBeGreaterThan(Number(before?.[1]));
  }, 60_000);

  it('resumes inside a loop: iterations that had ended are not executed again', async () => {
    const { first, lines, goOn } = await startRun(
      startWeir,
      `type: chain
steps:
  - {name: items, run: "echo items >> $HOME/t; echo '[\\"a\\",\\"b\\",\\"c\\"]'", output: LIST}
  - id: each
    foreach:
      items: \${LIST}
      max_concurrent: 1
      steps:
        - {id: first, run: "echo first-\${foreach.item} >> $HOME/t; echo \${foreach.item}", output: SAID}
        - id: second
          depends: first
          idempotent: true
          run: |
            echo second-$SAID >> $HOME/t
            test $SAID != b || { ${hang}; }
      collect: {said: "\${steps.first.outputs.SAID}"}
  - {name: look, run: "echo '\${steps.each.outputs.said}' >> $HOME/t"}
`,
    );
    await kill(first);

    expect(await goOn()).toMatchObject({ statusLabel: 'succeeded' });
    expect(lines()).toEqual([
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
  }, 60_000);

  it('finds the child run that it had started, which resumes itself', async () => {
    const { first, lines, goOn } = await startRun(
      startWeir,
      `type: chain
steps:
  - {id: call, action: dag.run, with: {dag: inner}}
  - {name: look, run: "echo \${steps.call.outputs.dagRunId} >> $HOME/t"}
---
name: inner
type: chain
steps:
  - {run: "echo once >> $HOME/once"}
  - {idempotent: true, run: "echo $DAG_RUN_ID >> $HOME/t; ${hang}"}
`,
    );
    await kill(first);

    expect(await goOn()).toMatchObject({ statusLabel: 'succeeded' });
    expect(lines('once')).toEqual(['once']);
    expect(lines()).toHaveLength(3);
    expect(new Set(lines()).size).toBe(1);
  }, 60_000);

  it('resumes at the handler that was executing', async () => {
    const { first, lines, goOn } = await startRun(
      startWeir,
      `handler_on:
  init: echo init >> $HOME/t
  failure: echo failure >> $HOME/t
  exit: {idempotent: true, run: "echo exit-$DAG_RUN_STATUS >> $HOME/t; ${hang}"}
steps:
  - {name: one, run: echo one >> $HOME/t; exit 1}
`,
    );
    await kill(first);

    expect(await goOn()).toMatchObject({ statusLabel: 'failed' });
    expect(lines()).toEqual(['init', 'one', 'failure', 'exit-failed', 'exit-failed']);
  }, 60_000);

  it('aborts a run whose stop was requested while no worker executed it', async () => {
    const { first, lines, terminate, goOn } = await startRun(
      startWeir,
      `handler_on: {abort: echo abort >> $HOME/t}
steps:
  - {name: one, idempotent: true, signal_on_stop: SIGUSR1, run: "trap '' USR1; echo one >> $HOME/t; ${hang}"}
`,
    );
    await terminate();
    await kill(first);

    expect(await goOn()).toMatchObject({ statusLabel: 'aborted' });
    expect(lines()).toEqual(['one', 'abort']);
  }, 60_000);
});
