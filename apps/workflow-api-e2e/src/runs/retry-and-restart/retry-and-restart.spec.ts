import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { temporaryFolder, waitFor } from '@weir/test-kit';
import type { DagRunDetails } from '@weir/workflow-contract/schemas';
import { aUser, setUpAdmin } from '../../support/people';
import { runWeir } from '../../support/weir-command';
import { startWeir, type Weir } from '../../support/weir-server';
import { dagsIn } from './dags';

jest.setTimeout(60_000);

let marks: ReturnType<typeof temporaryFolder>;

const wrote = async (name: string): Promise<readonly string[]> =>
  (await readFile(marks.file(name), 'utf8').catch(() => '')).trim().split('\n').filter(Boolean);

describe('with a server', () => {
  let weir: Weir;
  let admin: string;
  let ids = 0;

  beforeAll(async () => {
    marks = temporaryFolder();
    const home = temporaryFolder();
    await mkdir(home.file('weir', 'dags'), { recursive: true });
    for (const [name, text] of Object.entries(dagsIn(marks.path))) {
      await writeFile(home.file('weir', 'dags', `${name}.yaml`), text);
    }
    weir = await startWeir({ home, env: { WEIR_SKIP_EXAMPLES: 'true' } });
    admin = await setUpAdmin(weir);
  }, 60_000);

  beforeEach(async () => {
    for (const name of ['done', 'flaky', 'hopeless', 'handler', 'child']) await writeFile(marks.file(name), '');
    for (const name of ['go', 'handler-go', 'child-go']) await rm(marks.file(name), { force: true });
  });

  afterAll(async () => {
    await weir.dispose();
    await marks.remove();
  });

  const command = (...args: readonly string[]) => runWeir(args, { home: weir.home });
  const post = (path: string, body: unknown = {}, token: string = admin) => weir.request('POST', path, { token, body });
  const details = async (name: string, dagRunId: string): Promise<DagRunDetails> =>
    (await weir.createClient(admin).getDagRunDetails({ params: { name, dagRunId } })).dagRunDetails;
  const inState = (name: string, dagRunId: string, label: string): Promise<DagRunDetails> =>
    waitFor(
      async () => {
        const run = await details(name, dagRunId);
        return run.statusLabel === label ? run : undefined;
      },
      { deadlineMs: 30_000, what: `the run ${dagRunId} of ${name} to be ${label}` },
    );
  const started = async (name: string): Promise<string> => {
    const dagRunId = `run-${(ids += 1)}`;
    expect((await post(`/dags/${name}/start`, { dagRunId })).status).toBe(200);
    return dagRunId;
  };
  const failed = async (name: string): Promise<string> => {
    const id = await started(name);
    await inState(name, id, 'failed');
    return id;
  };

  describe('POST /dag-runs/{name}/{dagRunId}/retry', () => {
    const retry = (name: string, id: string, body: object = {}, token?: string) =>
      post(`/dag-runs/${name}/${id}/retry`, { dagRunId: id, ...body }, token);

    it('returns 200 and executes unsuccessful steps again, under the same id', async () => {
      const id = await failed('chain');
      await writeFile(marks.file('go'), '');
      expect((await retry('chain', id)).status).toBe(200);

      const run = await inState('chain', id, 'succeeded');
      expect(await wrote('done')).toEqual(['first', 'second', 'failure', 'second', 'third']);
      expect(run.nodes.map(({ statusLabel }) => statusLabel)).toEqual(Array(3).fill('succeeded'));
      expect(run).toMatchObject({ autoRetryCount: 0, autoRetryLimit: null });
    });

    it('returns 200 for one step alone, and with the steps after it', async () => {
      await writeFile(marks.file('go'), '');
      const id = await started('chain');
      await inState('chain', id, 'succeeded');
      expect((await retry('chain', id, { stepName: 'second' })).status).toBe(200);
      await waitFor(async () => (await wrote('done')).length === 4, { what: 'the step alone' });
      await inState('chain', id, 'succeeded');
      expect((await retry('chain', id, { stepName: 'second', includeDownstream: true })).status).toBe(200);
      await waitFor(async () => (await wrote('done')).length === 6, { what: 'the steps after it' });
      await inState('chain', id, 'succeeded');
      expect(await wrote('done')).toEqual(['first', 'second', 'third', 'second', 'second', 'third']);
    });

    it('returns 400 for another id, and for options that need a step', async () => {
      const id = await failed('handler');
      expect((await retry('handler', id, { dagRunId: 'other' })).status).toBe(400);
      expect((await retry('handler', id, { includeDownstream: true })).status).toBe(400);
      expect((await retry('handler', id, { subDAGRunId: 'x' })).status).toBe(400);
    });

    it('returns 403 for a viewer, and 404 for an unknown run or step', async () => {
      const id = await failed('handler');
      const { token } = await aUser(weir, admin, 'viewer', 'only-looks');
      expect((await retry('handler', id, {}, token)).status).toBe(403);
      expect((await retry('handler', 'none')).status).toBe(404);
      expect((await retry('handler', id, { stepName: 'none' })).status).toBe(404);
    });

    it('returns 409 for an active run, and for one without unsuccessful steps', async () => {
      await writeFile(marks.file('go'), '');
      const id = await started('chain');
      await inState('chain', id, 'succeeded');
      expect(await retry('chain', id)).toMatchObject({ status: 409, body: { reason: 'nothing_to_retry' } });
      const long = 'is-active';
      await post('/dags/service/start', { dagRunId: long, params: 'WHO=long' });
      expect(await retry('service', long)).toMatchObject({ status: 409, body: { reason: 'dag_run_active' } });
      await post(`/dag-runs/service/${long}/stop`);
    });

    it('executes only a failed handler again', async () => {
      const id = await failed('handler');
      await writeFile(marks.file('handler-go'), '');
      expect((await retry('handler', id)).status).toBe(200);
      await inState('handler', id, 'succeeded');
      expect(await wrote('handler')).toEqual(['work']);
    });

    it('continues in the failed child run', async () => {
      const id = await failed('parent');
      await writeFile(marks.file('child-go'), '');
      expect((await retry('parent', id)).status).toBe(200);
      await inState('parent', id, 'succeeded');
      expect(await wrote('child')).toEqual(['once']);
    });
  });

  describe('the retry policy of a DAG', () => {
    it('starts a failed run again, and counts the retries', async () => {
      const id = await started('flaky');
      const run = await inState('flaky', id, 'succeeded');
      expect(run).toMatchObject({ autoRetryCount: 2, autoRetryLimit: 3 });
      // It is no failure as long as it is tried again.
      expect(await wrote('flaky')).toEqual(['try', 'try', 'try']);
    });

    it('executes the failure handler when no retry is left', async () => {
      const id = await started('hopeless');
      await waitFor(async () => (await wrote('hopeless')).includes('failure'), { deadlineMs: 30_000, what: 'the end' });
      expect(await inState('hopeless', id, 'failed')).toMatchObject({ autoRetryCount: 1, autoRetryLimit: 1 });
      expect(await wrote('hopeless')).toEqual(['try', 'try', 'failure']);
    });

    it('is cancelled by a stop, which aborts the run', async () => {
      const id = await failed('patient');
      expect((await post(`/dag-runs/patient/${id}/stop`)).status).toBe(200);
      expect(await details('patient', id)).toMatchObject({ statusLabel: 'aborted', autoRetryCount: 0 });
      // Like every stop that is asked for twice.
      expect((await post(`/dag-runs/patient/${id}/stop`)).status).toBe(200);
    });

    it('is paused while the DAG is suspended', async () => {
      const id = await failed('soon');
      expect((await post('/dags/soon/suspend', { suspend: true })).status).toBe(200);
      const other = await started('hopeless');
      await waitFor(async () => (await wrote('hopeless')).includes('failure'), { deadlineMs: 30_000, what: 'another' });
      await inState('hopeless', other, 'failed');
      await failed('hopeless');
      expect((await details('soon', id)).autoRetryCount).toBe(0);
      await post('/dags/soon/suspend', { suspend: false });
      await waitFor(async () => (await details('soon', id)).autoRetryCount > 0, {
        deadlineMs: 30_000,
        what: 'a retry',
      });
      await post(`/dag-runs/soon/${id}/stop`);
    });
  });

  describe('DELETE /dag-runs/{name}/{dagRunId}', () => {
    const remove = (name: string, id: string, token: string = admin) =>
      weir.request('DELETE', `/dag-runs/${name}/${id}`, { token });

    it('returns 204, and the run is deleted with the runs below it', async () => {
      const id = await started('parent');
      await waitFor(async () => ['failed', 'succeeded'].includes((await details('parent', id)).statusLabel), {
        what: 'the end',
      });
      const { subRuns } = await weir.createClient(admin).getSubDagRuns({ params: { name: 'parent', dagRunId: id } });
      const child = `/dag-runs/child/${subRuns[0]?.dagRunId}`;
      expect((await weir.request('GET', child, { token: admin })).status).toBe(200);
      expect((await remove('parent', id)).status).toBe(204);
      expect((await weir.request('GET', child, { token: admin })).status).toBe(404);
      expect((await remove('parent', id)).status).toBe(404);
    });

    it('returns 400 for "latest" and for an active run, and 403 for an operator', async () => {
      const dagRunId = 'is-running';
      await post('/dags/service/start', { dagRunId, params: 'WHO=long' });
      expect((await remove('service', 'latest')).status).toBe(400);
      expect(await remove('service', dagRunId)).toMatchObject({ status: 400, body: { reason: 'dag_run_active' } });
      const { token } = await aUser(weir, admin, 'operator', 'runs-things');
      expect((await remove('service', dagRunId, token)).status).toBe(403);
      await post(`/dag-runs/service/${dagRunId}/stop`);
    });
  });

  it('executes a step without its preconditions for a reason, which the step and the audit log show', async () => {
    const id = await started('guarded');
    await inState('guarded', id, 'succeeded');
    const retry = (body: object) => post(`/dag-runs/guarded/${id}/retry`, { dagRunId: id, ...body });
    expect((await retry({ bypassPreconditions: 'no step is named' })).status).toBe(400);
    expect((await retry({ stepName: 'held', bypassPreconditions: ' ' })).status).toBe(400);
    const reason = 'the file came by mail';
    expect((await retry({ stepName: 'held', includeDownstream: true, bypassPreconditions: reason })).status).toBe(200);
    const run = await waitFor(
      async () => {
        const found = await details('guarded', id);
        return found.nodes.at(-1)?.statusLabel === 'succeeded' ? found : undefined;
      },
      { deadlineMs: 30_000, what: 'the last step' },
    );
    expect(run.nodes[1]).toMatchObject({ statusLabel: 'succeeded', preconditionsBypassed: { by: 'ada', reason } });
    const { body } = await weir.request('GET', '/audit?action=dag_run_retry', { token: admin });
    expect(JSON.stringify(body)).toContain(reason);

    expect((await retry({ stepName: 'held' })).status).toBe(200);
    const again = await waitFor(
      async () => {
        const found = await details('guarded', id);
        return found.nodes[1]?.statusLabel === 'skipped' ? found : undefined;
      },
      { deadlineMs: 30_000, what: 'the step to be skipped again' },
    );
    expect(again.nodes[1]).not.toHaveProperty('preconditionsBypassed');
  });

  it('weir retry hands the run over and follows it', async () => {
    await writeFile(marks.file('go'), '');
    const done = await started('chain');
    await inState('chain', done, 'succeeded');
    const { code, stdout } = await command('retry', 'chain', '--run-id', done, '--step', 'third');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^chain \S+: retried\n/);
    expect(stdout).toMatch(/third: succeeded .*\nchain \S+: succeeded/);
    expect(await wrote('done')).toEqual(['first', 'second', 'third', 'third']);
  });

  it('weir restart ends the run and starts another with the same parameters', async () => {
    await post('/dags/service/start', { dagRunId: 'to-restart', params: 'WHO=long' });
    await inState('service', 'to-restart', 'running');
    // The one that takes its place would sleep as long: it is stopped from here.
    const restart = command('restart', 'service', '--run-id', 'to-restart');
    const next = await waitFor(
      async () => {
        const { dagRuns } = await weir.createClient(admin).listDagRuns({ query: { name: 'service' } });
        return dagRuns.find(({ dagRunId, statusLabel }) => dagRunId !== 'to-restart' && statusLabel === 'running');
      },
      { deadlineMs: 30_000, what: 'the run that takes its place' },
    );
    expect(next.params).toBe('WHO=long');
    expect((await details('service', 'to-restart')).statusLabel).toBe('aborted');
    await post(`/dag-runs/service/${next.dagRunId}/stop`);
    const { code, stdout } = await restart;
    expect(code).toBe(1);
    expect(stdout).toContain('service to-restart: stopped for the restart');
    expect(stdout).toMatch(/service \S+: aborted/);
  });
});
