import { temporaryFolder, waitFor } from '@weir/test-kit';
import { onEachDatabase } from '../support/databases';
import { setUpAdmin } from '../support/people';
import { endOfRun } from '../support/runs';
import { startWeir, type Weir } from '../support/weir-server';

onEachDatabase((start) => {
  let weir: Weir | undefined;

  afterEach(() => weir?.dispose());

  const isAlive = (pid: number): boolean => {
    try {
      process.kill(pid, 0);
      return true;
    } catch {
      return false;
    }
  };

  it('fails a step that kill -9 interrupted, ends its orphans, and retains acknowledged changes', async () => {
    const first = await start({ ownProcess: true, env: { WEIR_SKIP_EXAMPLES: 'true' } });
    weir = first;
    const token = await setUpAdmin(first);
    const client = first.createClient(token);
    await client.createNewDag({
      body: {
        name: 'long',
        spec: 'steps:\n  - name: hang\n    run: echo $$; exec sleep 300\n  - name: after\n    run: echo after\n    depends: hang\n',
      },
    });
    const { dagRunId } = await client.executeDag({ params: { fileName: 'long' }, body: {} });
    const pid = await waitFor(
      async () => {
        const { body } = await first.request('GET', `/dag-runs/long/${dagRunId}/steps/hang/log`, { token });
        return Number((body as { content?: string }).content);
      },
      { what: 'the step to tell its process id' },
    );
    expect(isAlive(pid)).toBe(true);

    await first.process.stop({ signal: 'SIGKILL' });
    const second = await first.restart();
    weir = second;

    // On PostgreSQL another server may be alive, so the run is taken over only once its owner missed its heartbeats.
    const run = await endOfRun(second, token, 'long', dagRunId);
    expect(run).toMatchObject({
      statusLabel: 'failed',
      nodes: [
        { statusLabel: 'failed', error: expect.stringContaining('owner lost') as string },
        { statusLabel: 'aborted' },
      ],
    });
    await waitFor(() => !isAlive(pid), { what: 'the orphan to end' });
    const { dags } = await second.createClient(token).listDags();
    expect(dags).toMatchObject([{ fileName: 'long', latestDAGRun: { dagRunId, statusLabel: 'failed' } }]);
  }, 90_000);

  it('executes runs that were acknowledged before kill -9', async () => {
    const first = await start({ command: 'server', ownProcess: true, env: { WEIR_SKIP_EXAMPLES: 'true' } });
    weir = first;
    const token = await setUpAdmin(first);
    const client = first.createClient(token);
    await client.createNewDag({ body: { name: 'quick', spec: 'steps:\n  - run: echo done\n' } });
    const { dagRunId } = await client.executeDag({ params: { fileName: 'quick' }, body: {} });
    const { dagRunDetails } = await client.getDagRunDetails({ params: { name: 'quick', dagRunId } });
    expect(dagRunDetails.statusLabel).toBe('queued');

    await first.process.stop({ signal: 'SIGKILL' });
    const second = await first.restart({ command: 'start-all' });
    weir = second;

    expect((await endOfRun(second, token, 'quick', dagRunId)).statusLabel).toBe('succeeded');
  }, 90_000);

  it('ends the processes of its steps when it is stopped, and the next start resumes the run', async () => {
    const first = await start({ ownProcess: true, env: { WEIR_SKIP_EXAMPLES: 'true' } });
    weir = first;
    const token = await setUpAdmin(first);
    const client = first.createClient(token);
    await client.createNewDag({
      body: { name: 'long', spec: 'steps:\n  - name: hang\n    run: echo up; sleep 300\n' },
    });
    const { dagRunId } = await client.executeDag({ params: { fileName: 'long' }, body: {} });
    await waitFor(
      async () => {
        const { body } = await first.request('GET', `/dag-runs/long/${dagRunId}/steps/hang/log`, { token });
        return (body as { content?: string }).content;
      },
      { what: 'the step to run' },
    );

    expect(await first.process.stop({ deadlineMs: 20_000 })).toEqual({ code: 0, signal: null });
    const second = await first.restart();
    weir = second;

    expect(await endOfRun(second, token, 'long', dagRunId)).toMatchObject({
      statusLabel: 'failed',
      nodes: [{ statusLabel: 'failed', error: 'owner lost' }],
    });
  }, 90_000);
});

describe('the embedded database', () => {
  it('refuses a second server on the same file with a clear message', async () => {
    const home = temporaryFolder();
    const first = await startWeir({ home, ownProcess: true });
    await expect(startWeir({ home })).rejects.toThrow(
      new RegExp(`in use.*${first.process.pid}|${first.process.pid}.*in use`, 'is'),
    );
    await first.dispose();
  }, 60_000);
});
