import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { startPostgres, temporaryFolder, waitFor, type TemporaryFolder } from '@weir/test-kit';
import { runWeir } from '../../support/weir-command';
import { startWeir, type Weir } from '../../support/weir-server';

// docs/specs/language/queues-and-limits.md
let home: TemporaryFolder;
let weir: Weir;

beforeAll(async () => {
  home = temporaryFolder();
  await mkdir(home.file('weir', 'dags'), { recursive: true });
  weir = await startWeir({
    home,
    env: { WEIR_QUEUES: 'shared=2', WEIR_SKIP_EXAMPLES: 'true', WEIR_AUTH_MODE: 'none' },
  });
}, 60_000);
afterAll(() => weir.dispose());

const addDag = (name: string, text: string): void => writeFileSync(home.file('weir', 'dags', `${name}.yaml`), text);
const readLines = (name: string): readonly string[] =>
  existsSync(home.file(name)) ? readFileSync(home.file(name), 'utf8').trimEnd().split('\n') : [];
const command = async (...args: string[]) => {
  const { code, stdout, stderr } = await runWeir(args, { home });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
};
const enqueue = (name: string, id: string, ...flags: string[]) => command('enqueue', name, '--run-id', id, ...flags);
const reaches = (name: string, id: string, word: string) =>
  waitFor(async () => (await command('status', name, '--run-id', id)).includes(word), {
    what: `${name} ${id} to be ${word}`,
    deadlineMs: 20_000,
  });
const mostAtOnce = (name: string): number => {
  let now = 0;
  return Math.max(...readLines(name).map((line) => (now += line === '+' ? 1 : -1)));
};
/** A step that says when it begins and when it ends. */
const counting = (name: string): string => `echo + >> ${home.file(name)}; sleep 0.3; echo - >> ${home.file(name)}`;
/** A DAG whose first run holds the place until `go` is called; each run writes its id. */
const addHeld = (name: string): { readonly go: () => void } => {
  const file = home.file(`${name}.go`);
  addDag(
    name,
    `steps:\n  - 'echo "$DAG_RUN_ID" >> ${home.file(name)}; until [ -e ${file} ]; do sleep 0.05; done; echo old >> ${home.file(`${name}.text`)}'\n`,
  );
  return { go: () => writeFileSync(file, '') };
};

describe('queues', () => {
  it('execute the runs of one DAG one after another', async () => {
    addDag('single', `steps:\n  - "${counting('single')}"\n`);
    for (const id of ['one', 'two', 'three']) await enqueue('single', id);
    for (const id of ['one', 'two', 'three']) await reaches('single', id, 'succeeded');

    expect(readLines('single')).toHaveLength(6);
    expect(mostAtOnce('single')).toBe(1);
  }, 60_000);

  it('admit as many runs of several DAGs as a named queue has slots', async () => {
    const names = ['a', 'b', 'c', 'd', 'e'].map((letter) => `shared-${letter}`);
    for (const name of names) addDag(name, `queue: shared\nsteps:\n  - "${counting('shared')}"\n`);
    await Promise.all(names.map((name) => enqueue(name, 'one')));
    for (const name of names) await reaches(name, 'one', 'succeeded');

    expect(mostAtOnce('shared')).toBe(2);
  }, 60_000);

  it('accept another queue, and execute a higher priority first', async () => {
    const { go } = addHeld('ranked');
    await enqueue('ranked', 'first', '--queue', 'ranks');
    await reaches('ranked', 'first', 'running');
    await enqueue('ranked', 'low', '--queue', 'ranks');
    await enqueue('ranked', 'high', '--queue', 'ranks', '--priority', '5');
    await enqueue('ranked', 'lowest', '--queue', 'ranks', '--priority', '-5');
    go();
    await reaches('ranked', 'lowest', 'succeeded');

    expect(readLines('ranked')).toEqual(['first', 'high', 'low', 'lowest']);
  }, 60_000);

  it('release a run that is dequeued', async () => {
    const { go } = addHeld('left');
    await enqueue('left', 'first');
    await reaches('left', 'first', 'running');
    await enqueue('left', 'second');
    await enqueue('left', 'third');
    await command('dequeue', 'left', '--run-id', 'second');
    go();
    await reaches('left', 'third', 'succeeded');

    expect(await command('status', 'left', '--run-id', 'second')).toContain('aborted');
    expect(readLines('left')).toEqual(['first', 'third']);
  }, 60_000);

  it('keep the text of a run that waits', async () => {
    const { go } = addHeld('kept');
    await enqueue('kept', 'first');
    await reaches('kept', 'first', 'running');
    await enqueue('kept', 'second');
    addDag('kept', `steps:\n  - 'echo new >> ${home.file('kept.text')}'\n`);
    go();
    await reaches('kept', 'second', 'succeeded');

    expect(readLines('kept.text')).toEqual(['old', 'old']);
  }, 60_000);

  it('are not applied to a run that is started', async () => {
    const { go } = addHeld('beside');
    await enqueue('beside', 'first');
    await reaches('beside', 'first', 'running');
    await enqueue('beside', 'waits');
    const started = await weir.request('POST', '/dags/beside/start', { body: { dagRunId: 'at-once' } });
    expect(started.status).toBe(200);
    await reaches('beside', 'at-once', 'running');
    expect(await command('status', 'beside', '--run-id', 'waits')).toContain('queued');
    go();
    await reaches('beside', 'waits', 'succeeded');

    const lines = readLines('beside');
    expect(lines.slice(0, 2).toSorted()).toEqual(['at-once', 'first']);
    expect(lines.slice(2)).toEqual(['waits']);
  }, 60_000);

  it('have at least one slot', async () => {
    const { code, stderr } = await runWeir(['start-all'], {
      home: temporaryFolder(),
      env: { WEIR_QUEUES: 'shared=0' },
    });

    expect(code).toBe(1);
    expect(stderr).toContain('WEIR_QUEUES');
  });
});

describe('owners on PostgreSQL', () => {
  it('lose their runs to another server within 15 seconds after they die', async () => {
    const postgres = await startPostgres();
    const { url } = await postgres.createDatabase();
    const env = { WEIR_DATABASE_URL: url, WEIR_AUTH_MODE: 'none', WEIR_SKIP_EXAMPLES: 'true' };
    const first = await startWeir({ env, ownProcess: true });
    const said = first.home.file('said');
    const go = first.home.file('go');
    const lines = () => (existsSync(said) ? readFileSync(said, 'utf8').trimEnd().split('\n') : []);
    const held = `echo held >> ${said}; until [ -e ${go} ]; do sleep 0.05; done`;
    writeFileSync(
      first.home.file('weir', 'dags', 'moved.yaml'),
      `type: chain\nsteps:\n  - run: "echo once >> ${said}"\n  - run: "${held}"\n    retry_policy: {limit: 3, interval_sec: 0}\n`,
    );
    await waitFor(async () => (await first.request('POST', '/dags/moved/start', { body: {} })).status === 200, {
      what: 'the start',
    });
    await waitFor(() => lines().includes('held'), { what: 'the step' });
    const second = await startWeir({ env });
    await first.process.stop({ signal: 'SIGKILL' });
    await waitFor(() => lines().length > 2, { what: 'the run to resume', deadlineMs: 60_000 });
    writeFileSync(go, '');
    await waitFor(
      async () => {
        const { body } = await second.request('GET', '/dag-runs?name=moved');
        return JSON.stringify(body).includes('"statusLabel":"succeeded"');
      },
      { what: 'the end', deadlineMs: 60_000 },
    );
    expect(lines()).toEqual(['once', 'held', 'held']);
    await second.dispose();
    await first.dispose();
    await postgres.stop();
  }, 90_000);
});
