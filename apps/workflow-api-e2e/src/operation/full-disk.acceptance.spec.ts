import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { describeUnless, temporaryFolder, waitFor, type TemporaryFolder } from '@weir/test-kit';
import { setUpAdmin } from '../support/people';
import { endOfRun } from '../support/runs';
import { startWeir, type Weir } from '../support/weir-server';

const canMount = process.platform === 'linux' && process.getuid?.() === 0;

describeUnless(canMount ? undefined : 'mounting needs root on Linux', 'a full disk')('on a full disk', () => {
  let folder: TemporaryFolder;
  let weir: Weir;
  let token: string;
  const disk = () => folder.file('disk');

  beforeAll(async () => {
    folder = temporaryFolder();
    mkdirSync(disk());
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'weir-spec', disk()]);
    weir = await startWeir({ home: folder, ownProcess: true, env: { WEIR_HOME: disk(), WEIR_SKIP_EXAMPLES: 'true' } });
    token = await setUpAdmin(weir);
  });
  afterAll(async () => {
    await weir.process.stop({ signal: 'SIGKILL' });
    // At once, whatever a process of a failed case still has open there.
    execFileSync('umount', ['--lazy', disk()]);
    await weir.dispose();
  });

  const health = () => weir.request('GET', '/health');

  it('refuses requests that it cannot store, reports why, and stores the end of a run once there is space', async () => {
    const hold = folder.file('hold');
    const client = weir.createClient(token);
    writeFileSync(hold, '');
    const spec = `params:\n  NOTE: none\nsteps:\n  - run: until [ ! -e ${hold} ]; do sleep 0.05; done\n`;
    await client.createNewDag({ body: { name: 'waiting', spec } });
    const { dagRunId } = await client.executeDag({ params: { fileName: 'waiting' }, body: {} });
    await waitFor(
      async () => {
        const { dagRunDetails } = await client.getDagRunDetails({ params: { name: 'waiting', dagRunId } });
        return dagRunDetails.nodes[0]?.statusLabel === 'running';
      },
      { what: 'the step to run' },
    );
    expect(await health()).toMatchObject({ status: 200, body: { status: 'healthy' } });

    // Until nothing more fits, so that not even the next page of the database does.
    const filler = folder.file('disk', 'filler');
    expect(() => execFileSync('dd', ['if=/dev/zero', `of=${filler}`, 'bs=4k'], { stdio: 'ignore' })).toThrow();
    expect(await health()).toMatchObject({ status: 503, body: { reason: 'storage_full' } });
    expect((await weir.request('GET', '/health/live')).status).toBe(200);
    const refused = { status: 503, body: { reason: 'storage_full' } };
    const user = { username: 'grace', password: 'a rather long sentence', role: 'viewer' };
    await expect(weir.request('POST', '/users', { token, body: user })).resolves.toMatchObject(refused);
    await expect(
      weir.request('POST', '/dags/waiting/start', { token, body: { params: `NOTE=${'x'.repeat(50_000)}` } }),
    ).resolves.toMatchObject(refused);

    rmSync(hold);
    await waitFor(() => weir.process.stdout().includes('wait for space'), { what: 'the run to wait for space' });
    rmSync(filler);
    expect(await endOfRun(weir, token, 'waiting', dagRunId)).toMatchObject({ statusLabel: 'succeeded' });
    expect(await health()).toMatchObject({ status: 200, body: { status: 'healthy' } });
  });
});
