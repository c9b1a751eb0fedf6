import { waitFor } from '@weir/test-kit';
import { onEachDatabase } from '../support/databases';
import { setUpAdmin } from '../support/people';
import { endOfRun } from '../support/runs';
import type { Weir } from '../support/weir-server';

const parent = `steps:
  - {name: call, action: dag.run, with: {dag: child}}
---
name: child
artifacts: {enabled: true}
steps:
  - {name: inner, run: 'echo inside; echo kept > "$DAG_RUN_ARTIFACTS_DIR/kept.txt"'}
`;
const gate = `steps:
  - {name: call, action: dag.run, with: {dag: child}}
---
name: child
steps:
  - {name: draft, run: "true"}
  - {name: review, run: "true", approval: {rewind_to: draft}, depends: draft}
`;

onEachDatabase((start) => {
  let weir: Weir;
  let admin: string;
  let ids = 0;
  /** Below which the ended child run of `parent` is found. */
  let child: string;

  beforeAll(async () => {
    weir = await start({ env: { WEIR_SKIP_EXAMPLES: 'true' } });
    admin = await setUpAdmin(weir);
    for (const [name, spec] of Object.entries({ parent, gate }))
      await weir.createClient(admin).createNewDag({ body: { name, spec } });
    child = await startParent('parent', 'succeeded');
    await endOfRun(weir, admin, 'parent', `run-${ids}`);
  }, 60_000);

  afterAll(() => weir.dispose());

  const get = (address: string) => weir.request('GET', address, { token: admin });
  const post = (address: string, body: object = {}) => weir.request('POST', address, { token: admin, body });

  /** Starts a run and waits until its child run has this status. Returns the address of the child run. */
  async function startParent(name: string, status: string): Promise<string> {
    const dagRunId = `run-${(ids += 1)}`;
    await post(`/dags/${name}/start`, { dagRunId });
    return waitFor(
      async () => {
        const { body } = await get(`/dag-runs/${name}/${dagRunId}/sub-dag-runs`);
        const [found] = (body as { subRuns: readonly { dagRunId: string; statusLabel: string }[] }).subRuns;
        return found?.statusLabel === status
          ? `/dag-runs/${name}/${dagRunId}/sub-dag-runs/${found.dagRunId}`
          : undefined;
      },
      { deadlineMs: 30_000, what: `the child run of ${dagRunId} to be ${status}` },
    );
  }

  it('records the run whose step started a child run', async () => {
    expect(await get(child)).toMatchObject({
      body: { dagRunDetails: { triggerType: 'subdag', startedBy: { kind: 'run', name: 'parent' } } },
    });
  });

  describe('GET /dag-runs/{name}/{dagRunId}/sub-dag-runs', () => {
    it('returns 200 with the child runs, and 404 for an unknown run', async () => {
      expect(await get(child.slice(0, child.lastIndexOf('/')))).toMatchObject({
        status: 200,
        body: { subRuns: [{ statusLabel: 'succeeded' }] },
      });
      expect((await get('/dag-runs/parent/nobody/sub-dag-runs')).status).toBe(404);
    });
  });

  describe('GET /dag-runs/{name}/{dagRunId}/sub-dag-runs/{subDAGRunId}', () => {
    it('returns 200 with the child run, and 404 for an unknown one', async () => {
      expect(await get(child)).toMatchObject({ status: 200, body: { dagRunDetails: { name: 'child' } } });
      expect((await get(`${child}x`)).status).toBe(404);
    });
  });

  describe('GET /dag-runs/{name}/{dagRunId}/sub-dag-runs/{subDAGRunId}/log', () => {
    it('returns 200 with its log, and 404 for an unknown run', async () => {
      expect(await get(`${child}/log`)).toMatchObject({ status: 200, body: { content: expect.any(String) as string } });
      expect((await get(`${child}x/log`)).status).toBe(404);
    });
  });

  describe('GET /dag-runs/{name}/{dagRunId}/sub-dag-runs/{subDAGRunId}/steps/{stepName}/log', () => {
    it('returns 200 with the output of the step, and 404 for an unknown step', async () => {
      expect((await get(`${child}/steps/inner/log`)).body).toMatchObject({ content: 'inside' });
      expect((await get(`${child}/steps/nobody/log`)).status).toBe(404);
    });
  });

  describe('GET /dag-runs/{name}/{dagRunId}/sub-dag-runs/{subDAGRunId}/artifacts', () => {
    it('returns 200 with its artifacts, and 404 for an unknown run', async () => {
      expect((await get(`${child}/artifacts`)).body).toMatchObject({ items: [{ name: 'kept.txt' }] });
      expect((await get(`${child}x/artifacts`)).status).toBe(404);
    });
  });

  describe('GET /dag-runs/{name}/{dagRunId}/sub-dag-runs/{subDAGRunId}/artifacts/preview', () => {
    it('returns 200 with the text, 400 without a path and 404 for a missing file', async () => {
      expect((await get(`${child}/artifacts/preview?path=kept.txt`)).body).toMatchObject({ content: 'kept\n' });
      expect((await get(`${child}/artifacts/preview`)).status).toBe(400);
      expect((await get(`${child}/artifacts/preview?path=gone.txt`)).status).toBe(404);
    });
  });

  describe('GET /dag-runs/{name}/{dagRunId}/sub-dag-runs/{subDAGRunId}/artifacts/download', () => {
    it('returns 200 with the file, and 404 for a missing one', async () => {
      expect(await get(`${child}/artifacts/download?path=kept.txt`)).toMatchObject({ status: 200, body: 'kept\n' });
      expect((await get(`${child}/artifacts/download?path=gone.txt`)).status).toBe(404);
    });
  });

  describe('POST /dag-runs/{name}/{dagRunId}/sub-dag-runs/{subDAGRunId}/steps/{stepName}/approve', () => {
    it('returns 200, 400 after the approval and 404 for an unknown step', async () => {
      const waiting = await startParent('gate', 'waiting');

      expect((await post(`${waiting}/steps/review/approve`)).status).toBe(200);
      await endOfRun(weir, admin, 'gate', `run-${ids}`);
      expect((await post(`${waiting}/steps/review/approve`)).status).toBe(400);
      expect((await post(`${waiting}/steps/nobody/approve`)).status).toBe(404);
    });
  });

  describe('POST /dag-runs/{name}/{dagRunId}/sub-dag-runs/{subDAGRunId}/steps/{stepName}/push-back', () => {
    it('returns 200, and 404 for an unknown step', async () => {
      const waiting = await startParent('gate', 'waiting');

      expect(await post(`${waiting}/steps/review/push-back`)).toMatchObject({ status: 200 });
      expect((await post(`${waiting}/steps/nobody/push-back`)).status).toBe(404);
    });
  });

  describe('POST /dag-runs/{name}/{dagRunId}/sub-dag-runs/{subDAGRunId}/steps/{stepName}/reject', () => {
    it('returns 200, and the run ends rejected', async () => {
      const waiting = await startParent('gate', 'waiting');

      expect((await post(`${waiting}/steps/review/reject`)).status).toBe(200);
      await endOfRun(weir, admin, 'gate', `run-${ids}`);
      expect((await get(waiting)).body).toMatchObject({ dagRunDetails: { statusLabel: 'rejected' } });
    });
  });
});
