import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { setUpAdmin } from '../support/people';
import { endOfRun } from '../support/runs';
import { program, startWeir, type Weir } from '../support/weir-server';

const canIsolate = spawnSync('bwrap', ['--unshare-user', '--dev-bind', '/', '/', 'true']).status === 0;
const whereIsolated = canIsolate ? describe : describe.skip;

let weir: Weir;
let admin: string;

const start = async (mode: 'required' | 'off') => {
  weir = await startWeir({
    ownProcess: true,
    env: { WEIR_SKIP_EXAMPLES: 'true', WEIR_STEP_ISOLATION: mode, SERVER_SECRET: 'known to the server' },
  });
  admin = await setUpAdmin(weir);
};

const run = async (name: string, steps: string) => {
  const spec = `name: ${name}\ntype: graph\n${steps}`;
  const { dagRunId } = await weir.createClient(admin).executeDagRunFromSpec({ body: { spec } });
  return endOfRun(weir, admin, name, dagRunId);
};

const output = async (name: string, steps: string): Promise<string> => {
  const { nodes } = await run(name, steps);
  return readFile(nodes[0]?.stdout ?? '', 'utf8');
};

/** What a curious author would try; each line names what it reads. */
const attempts = (): string => `steps:
  - name: look
    run: |
      cd ${weir.home.file('weir')}
      echo "key: $(cat auth/token_secret)"
      echo "database: $(head -c 6 data/weir.db)"
      echo "socket: $(ls data/weir.sock)"
      echo "logs: $(cat logs/payroll/*/*.out)"
      echo "runs: $(ls data/runs)"
      echo "environment: $(tr '\\0' '\\n' < /proc/${weir.process.pid}/environ | grep SERVER_SECRET)"
      echo "above: $(cd "$DAG_RUN_WORK_DIR" && cat ../../../../auth/token_secret)"
`;

whereIsolated('steps of a server that isolates them', () => {
  beforeAll(async () => {
    await start('required');
    await run('payroll', 'steps:\n  - run: echo confidential\n');
  }, 60_000);
  afterAll(() => weir.dispose());

  it('is reported by the health endpoint and the log of the server', async () => {
    expect(await weir.createClient().getHealthStatus()).toMatchObject({ stepIsolation: 'namespaces' });
    expect(weir.process.stderr() + weir.process.stdout()).toContain('steps are isolated from the server');
  });

  describe('with the command `weir`', () => {
    const command = `${process.execPath} ${program}`;
    const client = () => weir.createClient(admin);
    const addDag = (name: string, spec: string) => writeFile(weir.home.file('weir', 'dags', `${name}.yaml`), spec);

    beforeAll(async () => {
      const inner = 'params: { WHO: nobody }\nsteps:\n  - run: echo "$WHO"; test "$WHO" != bad\n';
      await addDag('inner', inner);
      await addDag('theirs', `labels: workspace=bank\n${inner}`);
      await addDag('endless', 'steps:\n  - run: echo up; while :; do sleep 0.02; done\n');
    });

    it('start and queue other DAGs as child runs', async () => {
      const { nodes, dagRunId } = await run(
        'nested',
        `steps:\n  - run: |\n      ${command} start inner -- WHO=first; ${command} start inner -- WHO=first\n      ${command} enqueue inner -- WHO=later\n`,
      );

      const text = await readFile(nodes[0]?.stdout ?? '', 'utf8');
      const lines = text.split('\n').map((line) => /^inner (?<id>\w+): (?<status>\w+)$/.exec(line)?.groups);
      expect(lines.map((line) => line?.status)).toEqual(['succeeded', 'succeeded', 'queued', undefined]);
      const ids = lines.flatMap((line) => line?.id ?? []);
      expect(new Set(ids).size).toBe(3);
      const [first = ''] = ids;
      const { dagRunDetails } = await client().getDagRunDetails({ params: { name: 'inner', dagRunId: first } });
      expect(dagRunDetails).toMatchObject({ rootDAGRunName: 'nested', rootDAGRunId: dagRunId });
    });

    it('fail with the run that they wait for', async () => {
      const { nodes } = await run('failing', `steps:\n  - run: ${command} start inner -- WHO=bad\n`);

      expect(nodes[0]).toMatchObject({ statusLabel: 'failed' });
      expect(await readFile(nodes[0]?.stdout ?? '', 'utf8')).toMatch(/^inner \w+: failed$/m);
    });

    it.each([
      ['a DAG of another workspace', 'start theirs', 'belongs to another workspace'],
      ['a file', 'start ./inner.yaml', 'by their names'],
      ['another run id', 'start -r mine inner', 'not runId'],
      ['the database', 'history', 'isolated from the installation'],
    ])('are refused %s', async (_, words, reason) => {
      const { nodes } = await run('refused', `labels: workspace=shop\nsteps:\n  - run: ${command} ${words}\n`);

      expect(nodes[0]).toMatchObject({ statusLabel: 'failed' });
      expect(await readFile(nodes[0]?.stderr ?? '', 'utf8')).toContain(reason);
    });

    it('stop the run that they wait for when they are stopped', async () => {
      const spec = `name: waiting\nsteps:\n  - name: wait\n    run: ${command} start endless\n`;
      const { dagRunId } = await client().executeDagRunFromSpec({ body: { spec } });
      const detailsOf = async (name: string, id: string) =>
        (await client().getDagRunDetails({ params: { name, dagRunId: id } })).dagRunDetails;
      const statusOfInner = async () => {
        const [inner] = (await detailsOf('waiting', dagRunId)).nodes[0]?.subRuns ?? [];
        return inner && (await detailsOf('endless', inner.dagRunId)).statusLabel;
      };
      while ((await statusOfInner()) !== 'running') await client().getHealthStatus();
      await client().terminateDagRun({ params: { name: 'waiting', dagRunId } });

      expect(await endOfRun(weir, admin, 'waiting', dagRunId)).toMatchObject({ statusLabel: 'aborted' });
      expect(await statusOfInner()).toBe('aborted');
    });
  });

  it('read no secret of the server and nothing of other runs', async () => {
    const lines = (await output('curious', attempts())).split('\n');

    expect(lines).toEqual([
      'key: ',
      'database: ',
      'socket: ',
      'logs: ',
      'runs: curious',
      'environment: ',
      'above: ',
      '',
    ]);
  });

  it('see the files of their run', async () => {
    const text = await output(
      'ordinary',
      `artifacts: { enabled: true }
steps:
  - name: write
    run: |
      echo made > "$DAG_RUN_WORK_DIR/made"; echo kept > "$DAG_RUN_ARTIFACTS_DIR/kept"; echo OUT=1 >> "$WEIR_OUTPUT_FILE"
      cat "$DAG_RUN_WORK_DIR/made" "$DAG_RUN_ARTIFACTS_DIR/kept" "$WEIR_OUTPUT_FILE"
      grep -c 'run started' "$DAG_RUN_LOG_FILE"
`,
    );

    expect(text).toBe('made\nkept\nOUT=1\n1\n');
  });

  it('move and link files from the working folder to the artifacts', async () => {
    const text = await output(
      'moving',
      `artifacts: { enabled: true }
steps:
  - name: move
    run: |
      echo whole > made; ln made "$DAG_RUN_ARTIFACTS_DIR/linked"
      ${process.execPath} -e 'require("fs").renameSync("made", process.env.DAG_RUN_ARTIFACTS_DIR + "/moved")'
      cat "$DAG_RUN_ARTIFACTS_DIR/linked" "$DAG_RUN_ARTIFACTS_DIR/moved"
`,
    );

    expect(text).toBe('whole\nwhole\n');
  });

  it.each([
    ['an action', 'steps:\n  - action: file.read\n    with: { path: AUTH }\n'],
    ['a secret', 'secrets:\n  - { name: KEY, provider: file, key: AUTH }\nsteps:\n  - run: echo "$KEY"\n'],
    ['an environment file', 'dotenv: AUTH\nsteps:\n  - run: env\n'],
  ])('obtain no file of the server by %s', async (_, steps) => {
    const { statusLabel, error, nodes } = await run(
      'asking',
      steps.replace('AUTH', weir.home.file('weir/auth/token_secret')),
    );

    expect(statusLabel).toBe('failed');
    expect(`${error ?? ''} ${nodes[0]?.error ?? ''}`).toContain('belongs to the server or to another run');
  });

  it('end by the signal that the DAG names', async () => {
    const text = 'trap "echo asked; exit 0" USR1; echo up; while :; do sleep 0.02; done';
    const spec = `name: stopped\nsteps:\n  - name: wait\n    signal_on_stop: SIGUSR1\n    run: '${text}'\n`;
    const client = weir.createClient(admin);
    const { dagRunId } = await client.executeDagRunFromSpec({ body: { spec } });
    const params = { name: 'stopped', dagRunId };
    const log = async () => (await client.getDagRunStepLog({ params: { ...params, stepName: 'wait' } })).content;
    while (!(await log()).includes('up')) await client.getHealthStatus();
    await client.terminateDagRun({ params });

    expect(await endOfRun(weir, admin, 'stopped', dagRunId)).toMatchObject({ statusLabel: 'aborted' });
    expect(await log()).toBe('up\nasked');
  });
});

describe('steps of a server that does not isolate them', () => {
  beforeAll(() => start('off'), 60_000);
  afterAll(() => weir.dispose());

  it("can read all files of the server's user", async () => {
    expect(await weir.createClient().getHealthStatus()).toMatchObject({ stepIsolation: 'none' });
    const text = await output('curious', attempts());

    expect(text).toMatch(/^key: \S{32}/);
    expect(text).toContain('database: SQLite\n');
    if (process.platform === 'linux') expect(text).toContain('environment: SERVER_SECRET=known to the server\n');
  });
});
