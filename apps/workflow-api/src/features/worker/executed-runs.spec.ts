import { randomUUID } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { waitFor } from '@weir/test-kit';
import { unaudited } from '../../access/audited-operation';
import { createRunHarness, createDatabaseStores, type RunHarness } from '../../testing/run-harness';
import { createTestStores, databaseKinds, type TestStoreSource } from '../../testing/test-stores';
import { createInMemoryRunStore } from '../queue/in-memory-queue-driver';
import type { DagRunRepository } from '../runs';
import type { Worker } from './worker';

describe('a run before its first step', () => {
  let runs: DagRunRepository;
  let harness: RunHarness;
  let worker: Worker;

  beforeEach(async () => {
    const store = createInMemoryRunStore();
    runs = store.runs;
    harness = createRunHarness(store);
    worker = await harness.startWorker();
  });
  afterEach(() => harness.stop());

  const write = async (name: string, text: string): Promise<void> => {
    const file = path.join(harness.folder.path, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  };
  /** The end of a run of this DAG and what its last step printed. */
  const executeSpec = async (spec: string, params?: string) => {
    const run = await harness.queue(spec, { audit: unaudited, params });
    const { status, error, resolvedParams } = await harness.ended(run);
    const output = await readFile((await runs.listSteps(run.id)).at(-1)?.stdoutFile ?? '', 'utf8').catch(() => '');
    return {
      status,
      error,
      output,
      params: Object.fromEntries(resolvedParams.map(({ name, value }) => [name, value])),
    };
  };

  describe('params with eval', () => {
    const spec = `params:
  - {name: region, default: eu}
  - {name: tag, eval: "\${params.region}-$(echo \\"$region $1\\" | tr a-z A-Z)-\`printf x\`"}
  - {name: deep, eval: "\${tag}/$tag", default: unused}
  - {name: other, eval: "$(exit 3)", default: fallen back}
steps:
  - echo "$tag|$deep|$other"
`;

    it('are evaluated in order and stored with the run', async () => {
      const found = await executeSpec(spec);

      expect(found).toMatchObject({ status: 'succeeded', error: null });
      expect(found.params).toEqual({ region: 'eu', tag: 'eu-EU -x', deep: 'eu-EU -x/eu-EU -x', other: 'fallen back' });
      expect(found.output).toBe('eu-EU -x|eu-EU -x/eu-EU -x|fallen back\n');
    });

    it('leave given values unchanged, and execute none that a reference inserts', async () => {
      const { params } = await executeSpec(spec, '{"tag": "$(echo evil)"}');

      expect(params).toMatchObject({ tag: '$(echo evil)', deep: '$(echo evil)/$(echo evil)' });
    });

    it('end the run with the name of the parameter when there is no value', async () => {
      const run = await harness.queue(
        'params: [{name: day, eval: "$(echo gone >&2; exit 4)"}]\nsteps: [touch started]\n',
      );

      await expect(harness.ended(run)).resolves.toMatchObject({
        status: 'failed',
        error: 'parameter "day" could not be evaluated: exit status 4: gone',
      });
      await expect(runs.listSteps(run.id)).resolves.toMatchObject([
        { status: 'aborted', error: 'run not started', startedAt: null },
      ]);
    });

    it('end with the run when it is stopped', async () => {
      const run = await harness.queue('params: [{name: a, eval: "$(sleep 30)"}]\nsteps: [echo]\n');
      await waitFor(async () => (await runs.findById(run.id))?.status === 'running', { what: 'the run to start' });
      worker.stopRun(run.id);

      await expect(harness.ended(run)).resolves.toMatchObject({ status: 'aborted' });
    });
  });

  describe('environment files', () => {
    it('are in the folder of the DAG file, take precedence over its env, and are visible to it', async () => {
      await write('.env', 'A=1\nB="two words"\nexport C=3\n# no\nD=$A\n');
      const { output } = await executeSpec('env: {A: dag, E: "<$B>"}\nsteps: [\'echo "$A|$B|$C|$D|$E"\']\n');

      expect(output).toBe('1|two words|3|$A|<two words>\n');
    });

    it('start from the working folder when there is one, in order', async () => {
      await write('app/.env', 'A=1\nB=1\n');
      await write('app/conf/eu.env', 'B=2\nDAG_RUN_ID=mine\n');
      const { output } = await executeSpec(
        'params: {region: eu}\nworking_dir: app\ndotenv: conf/${params.region}.env\nsteps: [\'echo "$A$B $DAG_RUN_ID"; pwd\']\n',
      );

      expect(output).toMatch(/^12 (?!mine).+\n.*\/app\n$/);
    });

    it.each([
      [
        'a file that is not there',
        'dotenv: none.env',
        'the environment file "none.env" of the DAG "demo" is not there',
      ],
      ['a folder', 'dotenv: app', 'The environment file "app" cannot be used: it is not a file.'],
    ])('end the run by %s', async (_, line, error) => {
      await write('app/x', '');

      expect(await executeSpec(`${line}\nsteps: [echo]\n`)).toMatchObject({ status: 'failed', error });
    });

    it('are not read when they are turned off', async () => {
      await write('.env', 'A=1\n');

      expect((await executeSpec('dotenv: []\nsteps: [\'echo "<$A>"\']\n')).output).toBe('<>\n');
    });
  });

  it('hands positional parameters to commands and scripts', async () => {
    const { output } = await executeSpec('params: one "two words"\nsteps:\n  - |\n    echo "$2"\n    echo "$#"\n', 'x');

    expect(output).toBe('two words\n2\n');
  });
});

describe('the flow of a run', () => {
  const store = createInMemoryRunStore();
  const { runs } = store;
  let harness: RunHarness;

  beforeEach(() => {
    harness = createRunHarness(store);
  });
  afterEach(() => harness.stop());

  const execute = async (specText: string) => {
    const run = await harness.queue(specText);
    await harness.startWorker();
    return { run: await harness.ended(run), steps: await runs.listSteps(run.id) };
  };

  it('stores the attempts of a step, and appends to its log', async () => {
    const { run, steps } = await execute(`
steps:
  - name: shaky
    run: |
      echo iteration
      echo x >> tries
      test "$(wc -l < tries)" -eq 3
    retry_policy: {limit: 5, interval_sec: 0}
`);
    expect(run.status).toBe('succeeded');
    expect(steps).toMatchObject([{ status: 'succeeded', retryCount: 2, doneCount: 0, exitCode: 0, error: null }]);
    await expect(readFile(steps[0]?.stdoutFile ?? '', 'utf8')).resolves.toBe('iteration\niteration\niteration\n');
  });

  it('stores the number of iterations of a repeated step', async () => {
    const { steps } = await execute(
      'steps:\n  - {name: again, run: "true", repeat_policy: {repeat: true, interval_sec: 0, limit: 3}}\n',
    );
    expect(steps).toMatchObject([{ status: 'succeeded', doneCount: 3 }]);
  });

  it('succeeds in part when dependents of a failure continued', async () => {
    const { run, steps } = await execute(
      'type: chain\nsteps:\n  - {name: a, run: exit 3, continue_on: failed}\n  - {name: b, run: "true"}\n',
    );
    expect(run.status).toBe('partially_succeeded');
    expect(steps.map(({ status }) => status)).toEqual(['failed', 'succeeded']);
  });

  it('skips every step and aborts the run when a precondition of the DAG does not hold', async () => {
    const { run, steps } = await execute('preconditions: "false"\nsteps:\n  - run: "true"\n');
    expect(run).toMatchObject({ status: 'aborted', error: 'precondition: condition 1 of 1 is not met' });
    expect(steps.map(({ status }) => status)).toEqual(['skipped']);
  });

  it('aborts a step that waits for its next attempt when the run is stopped', async () => {
    const run = await harness.queue(
      'steps:\n  - {name: hopeless, run: exit 1, retry_policy: {limit: 9, interval_sec: 3600}}\n',
    );
    const worker = await harness.startWorker();
    await harness.stepWhere(run, ({ status }) => status === 'retrying');
    worker.stopRun(run.id);

    expect((await harness.ended(run)).status).toBe('aborted');
    expect(await runs.listSteps(run.id)).toMatchObject([{ status: 'aborted', error: 'run stopped', pid: null }]);
  });

  it('resumes a step that its lost worker left waiting for its next attempt', async () => {
    const run = await harness.queue('steps:\n  - {name: left, run: "true"}\n');
    const ownerId = randomUUID();
    const claim = await store.queue.claim({ labels: {}, owner: ownerId, at: new Date(), from: 'queue' });
    await runs.commit(
      run.id,
      {
        kind: 'steps_changed',
        lease: { ownerId, token: claim?.token ?? 0 },
        patches: [{ position: 0, status: 'retrying', retryCount: 1 }],
      },
      { audit: unaudited },
    );
    await harness.startWorker();

    expect((await harness.ended(run)).status).toBe('succeeded');
    expect(await runs.listSteps(run.id)).toMatchObject([{ status: 'succeeded' }]);
  });
});

describe.each(databaseKinds)('outputs of a run on %s', (kind) => {
  let stores: TestStoreSource;
  let runs: DagRunRepository;
  let harness: RunHarness;

  beforeAll(async () => {
    stores = await createTestStores(kind);
  });
  beforeEach(async () => {
    const store = createDatabaseStores(await stores.openDatabase());
    runs = store.runs;
    harness = createRunHarness(store);
  });
  afterEach(() => harness.stop());
  afterAll(() => stores.remove());

  it('are stored with the steps that publish them', async () => {
    await harness.startWorker();
    const run = await harness.queue(`
type: chain
steps:
  - {name: a, run: "echo ' ü '", output: TEXT}
  - {name: b, run: "echo [1, null]", output: {list: {from: stdout, decode: json}}}
  - {name: c, run: "test $TEXT = ü"}
`);

    await expect(harness.ended(run)).resolves.toMatchObject({ status: 'succeeded' });
    await expect(runs.readOutputs(run.id)).resolves.toEqual(
      new Map<number, unknown>([
        [0, { variable: { name: 'TEXT', value: 'ü' }, fields: [], declared: [] }],
        [1, { fields: [{ name: 'list', value: [1, null] }], declared: [] }],
      ]),
    );
  });

  it('fail their step when they cannot be read, and none of them is stored', async () => {
    await harness.startWorker();
    const run = await harness.queue(
      'type: chain\nmax_output_size: 3\nsteps:\n  - {name: a, run: "echo secret", output: TEXT}\n  - {name: b, run: "true"}\n',
    );

    await expect(harness.ended(run)).resolves.toMatchObject({ status: 'failed' });
    await expect(runs.listSteps(run.id)).resolves.toMatchObject([
      { status: 'failed', exitCode: 0, error: 'The standard output is larger than 3 bytes.' },
      { status: 'aborted' },
    ]);
    await expect(runs.readOutputs(run.id)).resolves.toEqual(new Map([[0, { fields: [], declared: [] }]]));
  });
});
