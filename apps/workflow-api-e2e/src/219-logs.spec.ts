import { onEachDatabase } from './support/databases';
import { setUpAdmin } from './support/people';
import { endOfRun } from './support/runs';
import type { Weir } from './support/weir-server';

const spec = `
name: talkative
type: chain
steps:
  - name: say it
    run: |
      for i in 1 2 3; do echo "line $i"; done
      echo oops >&2
  - name: call
    call: below
---
name: below
steps:
  - name: answer
    run: echo from below
`;

onEachDatabase((start) => {
  let weir: Weir;
  let admin: string;
  let base: string;
  let sub: string;

  beforeAll(async () => {
    weir = await start({ env: { WEIR_SKIP_EXAMPLES: 'true' } });
    admin = await setUpAdmin(weir);
    const { dagRunId } = await weir.createClient(admin).executeDagRunFromSpec({ body: { spec } });
    const params = { name: 'talkative', dagRunId };
    const run = await endOfRun(weir, admin, params.name, dagRunId);
    expect(run.statusLabel).toBe('succeeded');
    base = `/dag-runs/talkative/${dagRunId}`;
    const { subRuns } = await weir.createClient(admin).getSubDagRuns({ params });
    sub = `${base}/sub-dag-runs/${subRuns[0]?.dagRunId}`;
  }, 60_000);

  afterAll(() => weir.dispose());

  const get = (path: string, token: string | undefined = admin) => weir.request('GET', path, { token });
  const download = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${weir.baseUrl}${path}`, { headers: { authorization: `Bearer ${admin}`, ...headers } });
  const textOf = async (path: string) => (await download(path)).text();

  describe('GET /dag-runs/{name}/{dagRunId}/spec', () => {
    it('returns 200 with the spec of the run', async () => {
      expect(await get(`${base}/spec`)).toMatchObject({ status: 200, body: { spec } });
      expect(await get('/dag-runs/talkative/latest/spec')).toMatchObject({ status: 200, body: { spec } });
    });

    it('returns 401 without a credential', async () => {
      expect(await weir.request('GET', `${base}/spec`)).toMatchObject({ status: 401 });
    });

    it('returns 404 for no run', async () => {
      expect(await get('/dag-runs/talkative/none/spec')).toMatchObject({ status: 404 });
    });
  });

  describe('GET /dag-runs/{name}/{dagRunId}/sub-dag-runs/{subDAGRunId}/spec', () => {
    it('returns 200 with the text that has its DAG', async () => {
      const { status, body } = await get(`${sub}/spec`);

      expect(status).toBe(200);
      expect((body as { spec: string }).spec).toContain('name: below');
    });
  });

  describe('GET /dag-runs/{name}/{dagRunId}/log/download', () => {
    it('returns 200 with the whole log', async () => {
      const { content } = (await get(`${base}/log`)).body as { content: string };
      const response = await download(`${base}/log/download`);

      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
      expect((await response.text()).trimEnd()).toBe(content);
      expect(content).not.toBe('');
    });

    it('returns 404 for no run', async () => {
      expect(await get('/dag-runs/talkative/none/log/download')).toMatchObject({ status: 404 });
    });
  });

  describe('GET /dag-runs/{name}/{dagRunId}/steps/{stepName}/log/download', () => {
    it('returns 200 with the stream', async () => {
      expect(await textOf(`${base}/steps/say%20it/log/download`)).toBe('line 1\nline 2\nline 3\n');
      expect(await textOf(`${base}/steps/say%20it/log/download?stream=stderr`)).toBe('oops\n');
    });

    it('returns 206 for a range of bytes', async () => {
      const response = await download(`${base}/steps/say%20it/log/download`, { range: 'bytes=7-12' });

      expect(response.status).toBe(206);
      expect(response.headers.get('content-range')).toBe('bytes 7-12/21');
      expect(await response.text()).toBe('line 2');
    });

    it('returns 404 for no step', async () => {
      expect(await get(`${base}/steps/none/log/download`)).toMatchObject({ status: 404 });
    });
  });

  describe('GET /dag-runs/{name}/{dagRunId}/sub-dag-runs/{subDAGRunId}/log/download', () => {
    it('returns 200 with the log of the child run', async () => {
      const response = await download(`${sub}/log/download`);

      expect(response.status).toBe(200);
      expect(response.headers.get('content-disposition')).toMatch(/filename=talkative-.*-sub-.*-scheduler\.log/);
    });
  });

  describe('GET /dag-runs/{name}/{dagRunId}/sub-dag-runs/{subDAGRunId}/steps/{stepName}/log/download', () => {
    it('returns 200 with the stream', async () => {
      expect(await textOf(`${sub}/steps/answer/log/download`)).toBe('from below\n');
    });
  });
});
