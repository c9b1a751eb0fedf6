import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { isAppError } from '@weir/foundation';
import { temporaryFolder, waitFor, type TemporaryFolder } from '@weir/test-kit';
import { captureOutput } from '../local-command/capture-output';
import { checkIsolation } from './check-isolation';
import { createNamespaceIsolation } from './namespace-isolation';
import type { Enclosure, StepIsolation } from '../../model/ports/step-isolation';
import { canIsolate } from './testing/can-isolate';

const whereIsolated = canIsolate ? describe : describe.skip;

whereIsolated('a process of an isolated run', () => {
  let home: TemporaryFolder;
  let isolation: StepIsolation;
  let own: Enclosure;

  beforeAll(async () => {
    home = temporaryFolder();
    const closed = [home.file('auth'), home.file('logs')];
    for (const folder of ['auth', 'dags', 'logs/own', 'logs/other'])
      await mkdir(home.file(folder), { recursive: true });
    await writeFile(home.file('auth/token_secret'), 'hunter2');
    await writeFile(home.file('logs/own/run.log'), 'log of own');
    await writeFile(home.file('logs/other/run.log'), 'log of other');
    const check = await checkIsolation(closed);
    if ('problem' in check) throw new Error(check.problem);
    const open = [home.file('dags')];
    isolation = createNamespaceIsolation({ ...check, closed, open, scriptsFolder: home.file('scripts') });
    own = isolation.enclose({ id: 'own', folders: [home.file('logs/own')] });
  });

  afterAll(async () => {
    await own.close();
    await home.remove();
  });

  const capture = (text: string, { cwd = home.file('logs/own'), env = {}, enclosure = own } = {}) => {
    const command = { text, cwd, env: { PATH: '/usr/bin:/bin', ...env }, shell: ['sh'], isStepShell: true, enclosure };
    return captureOutput(command, { signal: AbortSignal.timeout(10_000), deadlineMs: 10_000, maxBytes: 100_000 });
  };
  const read = (file: string) => capture(`head -c 9 ${file}`);
  const refused = { exitCode: 1 };

  it('reads and writes the files of its run', async () => {
    expect(await read('run.log')).toEqual({ stdout: 'log of ow' });
    expect(await capture('echo more > made && cat made')).toEqual({ stdout: 'more\n' });
    expect(await readFile(home.file('logs/own/made'), 'utf8')).toBe('more\n');
  });

  it.each(['auth/token_secret', 'logs/other/run.log'])('cannot read %s', async (file) => {
    expect(await read(home.file(file))).toMatchObject(refused);
    expect(await read(`../../${file}`)).toMatchObject(refused);
  });

  it('sees and changes nothing in closed folders', async () => {
    expect(await capture(`ls -A ${home.file('auth')}; ls -A ${home.file('logs')}`)).toEqual({ stdout: 'own\n' });
    expect(await capture(`touch ${home.file('auth/planted')}`)).toMatchObject(refused);
  });

  it.each(['environ', 'maps', 'root/etc/passwd', 'cwd/package.json', 'fd/1'])(
    'cannot open %s of the server',
    async (name) => {
      expect(await read(`/proc/${process.pid}/${name}`)).toMatchObject(refused);
    },
  );

  it.each(['', 'unshare -Ur ', 'unshare -Urm ', `nsenter -t ${process.pid} -m `, 'setpriv --bounding-set +all '])(
    'cannot undo the isolation by %s',
    async (means) => {
      const attempt = `umount ${home.file('auth')}; head -c 9 ${home.file('auth/token_secret')}`;

      expect(await capture(`${means}sh -c '${attempt}'`)).toHaveProperty('exitCode', expect.any(Number));
    },
  );

  it('cannot reach files through a process of another run', async () => {
    const enclosure = isolation.enclose({ id: 'other', folders: [home.file('logs/other')] });
    const text = 'echo $$ > pid; while [ ! -e go ]; do sleep 0.02; done';
    const running = capture(text, { cwd: home.file('logs/other'), enclosure });
    const findPid = async () =>
      (await readFile(home.file('logs/other/pid'), 'utf8').catch(() => '')).trim() || undefined;
    const pid = await waitFor(findPid, { what: 'the other process' });

    expect(await read(`/proc/${pid}/environ`)).toMatchObject(refused);
    expect(await read(`/proc/${pid}/root${home.file('logs/other/run.log')}`)).toMatchObject(refused);
    await writeFile(home.file('logs/other/go'), '');
    expect(await running).toEqual({ stdout: '' });
    await enclosure.close();
  });

  it('gets the variables of the loader only once it is inside', async () => {
    const env = { LD_PRELOAD: '', LD_LIBRARY_PATH: '/none', A: 'b' };
    const entered = await own.enter({ program: 'sh', args: ['-c', 'true'], cwd: '/', env: { PATH: '/bin', ...env } });

    expect(entered.env).toEqual({ PATH: '/bin', A: 'b' });
    expect(await capture('echo "$LD_LIBRARY_PATH $A"', { env })).toEqual({ stdout: '/none b\n' });
  });

  it('cannot start in a closed folder', async () => {
    expect(await capture('cat token_secret', { cwd: home.file('auth') })).toEqual({
      failure: `${home.file('auth')} belongs to the server or to another run, and is closed to steps.`,
    });
  });

  it('has no path to closed folders that the server would follow', async () => {
    await symlink(home.file('auth'), home.file('dags/link'));

    for (const file of ['auth/token_secret', 'auth/new', 'dags/link/token_secret', 'dags/link', 'logs/other/run.log']) {
      expect(() => own.assertOpen(home.file(file))).toThrow('closed to steps');
    }
    expect(() => own.assertOpen(home.path, { isTree: true })).toThrow('closed to steps');
    for (const file of ['dags/a.yaml', 'logs/own/run.log', '.']) own.assertOpen(home.file(file));
  });

  it('is started even if the first attempts to create its namespaces fail', async () => {
    const check = await checkIsolation([home.file('auth')]);
    if ('problem' in check) throw new Error(check.problem);
    const bwrap = home.file('dags/bwrap');
    const tried = home.file('dags/tried');
    const script = `echo once >> ${tried}; [ "$(wc -l < ${tried})" -gt 2 ] && exec ${check.tools.bwrap} "$@"; exit 1`;
    await writeFile(bwrap, `#!/bin/sh\n${script}\n`, { mode: 0o700 });
    const flaky = createNamespaceIsolation({
      tools: { ...check.tools, bwrap },
      closed: [home.file('auth')],
      open: [],
      scriptsFolder: home.file('scripts'),
    });
    const enclosure = flaky.enclose({ id: 'flaky', folders: [] });

    expect(await capture('echo up', { enclosure })).toEqual({ stdout: 'up\n' });
    expect(await readFile(tried, 'utf8')).toBe('once\nonce\nonce\n');
    await enclosure.close();
  });

  it('is not started if namespaces cannot be created', async () => {
    const tools = { bwrap: '/bin/false', nsenter: '', env: '', setpriv: '', cat: '' };
    const broken = createNamespaceIsolation({ tools, closed: [], open: [], scriptsFolder: home.file('scripts') });
    const start = { program: 'sh', args: [], cwd: '/', env: { PATH: '/bin' } };
    const failure: unknown = await broken
      .enclose({ id: 'none', folders: [] })
      .enter(start)
      .catch((error: unknown) => error);

    expect(isAppError(failure) && failure.reason).toBe('isolation_failed');
  });
});
