import { aRun, aRunStep } from '@weir/workflow-engine/testing';
import { unaudited } from '../../access/audited-operation';
import { createInMemoryRunStore } from '../queue/in-memory-queue-driver';
import { createTestWorkflow, type TestWorkflow, type TestWorkflowOptions } from '../../testing/workflow-api';

let test: TestWorkflow;
afterEach(() => test.stop());

const below = { parentId: 'top', parentNode: '0', rootId: 'top', depth: 1 };
const child = '/dag-runs/nightly/top/sub-dag-runs/child' as const;

/** A run and its child, both ended and with a step each, unless it is told otherwise. The step of a running run waits. */
async function start(options: TestWorkflowOptions = {}, ofChild: Parameters<typeof aRun>[0] = {}) {
  test = await createTestWorkflow(options);
  const specText = 'steps:\n  - {name: extract, run: "true", approval: {rewind_to: extract}}\n';
  const definition: Parameters<typeof aRun>[0] = { specText, status: 'failed', finishedAt: new Date() };
  for (const own of [
    { id: 'top', dagRunId: 'top' },
    { id: 'child', dagRunId: 'child', ...below, ...ofChild },
  ]) {
    const values = { ...definition, ...own };
    const steps = [aRunStep({ name: 'extract', status: values.status === 'running' ? 'waiting' : 'failed' })];
    await test.application.runs.insert(aRun(values), steps, { audit: unaudited, singleton: false });
  }
  const as = await test.createKey('admin');
  return (operation: `${string} /${string}`, body?: object) => test.api.send(operation, { as, body });
}

describe('corrections that are overtaken each time', () => {
  const overtaken = (): TestWorkflowOptions => {
    const { runs, ...store } = createInMemoryRunStore();
    return { platform: { ...store, runs: { ...runs, commit: () => Promise.resolve(undefined) } } };
  };
  const refused = { status: 409, body: { reason: 'dag_run_changing' } };

  describe('PATCH /dag-runs/{name}/{dagRunId}/steps/{stepName}/status', () => {
    it('returns 409', async () => {
      const send = await start(overtaken());
      const correction = send('PATCH /dag-runs/nightly/top/steps/extract/status', { status: 4 });
      await expect(correction).resolves.toMatchObject(refused);
    });
  });

  describe('PATCH /dag-runs/{name}/{dagRunId}/sub-dag-runs/{subDAGRunId}/steps/{stepName}/status', () => {
    it('returns 409', async () => {
      const send = await start(overtaken());
      await expect(send(`PATCH ${child}/steps/extract/status`, { status: 4 })).resolves.toMatchObject(refused);
    });
  });
});

describe('POST /dag-runs/{name}/{dagRunId}/sub-dag-runs/{subDAGRunId}/steps/{stepName}/push-back', () => {
  it('returns 409 while the run is running', async () => {
    const send = await start({}, { status: 'running', ownerId: 'one', fencingToken: 1, finishedAt: null });

    await expect(send(`POST ${child}/steps/extract/push-back`, {})).resolves.toMatchObject({
      status: 409,
      body: { reason: 'dag_run_active' },
    });
  });
});

describe('a server with as many followed logs as it may have', () => {
  const refused = { status: 503, body: { reason: 'too_many_streams' } };
  /** Follows the log of the run while another one is asked for. */
  const follow = async (address: string) => {
    const send = await start({ config: { streams: { maxStreams: 1 } } });
    const token = await test.createKey('viewer');
    const first = await fetch(`${test.api.url}/api/v1/dag-runs/nightly/top/log/follow`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const second = await send(`GET ${address}/log/follow` as `GET /${string}`);
    await first.body?.cancel();
    return { first: first.status, second };
  };

  describe('GET /dag-runs/{name}/{dagRunId}/steps/{stepName}/log/follow', () => {
    it('returns 503', async () => {
      const answers = await follow('/dag-runs/nightly/top/steps/extract');
      expect(answers).toMatchObject({ first: 200, second: refused });
    });
  });

  describe('GET /dag-runs/{name}/{dagRunId}/sub-dag-runs/{subDAGRunId}/log/follow', () => {
    it('returns 503', async () => {
      expect(await follow(child)).toMatchObject({ first: 200, second: refused });
    });
  });

  describe('GET /dag-runs/{name}/{dagRunId}/sub-dag-runs/{subDAGRunId}/steps/{stepName}/log/follow', () => {
    it('returns 503', async () => {
      expect(await follow(`${child}/steps/extract`)).toMatchObject({ first: 200, second: refused });
    });
  });
});
