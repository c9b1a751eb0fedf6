import { writeFile } from 'node:fs/promises';
import { openEvents, type ReceivedEvent } from '@weir/test-kit';
import type { LogLinesResponse } from '@weir/workflow-contract/schemas';
import { onEachDatabase } from '../support/databases';
import { setUpAdmin } from '../support/people';
import { endOfRun } from '../support/runs';
import type { Weir } from '../support/weir-server';

const aTime: unknown = expect.stringMatching(/^2\d{3}-\d\d-\d\dT[\d:.]+Z$/);
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

    it('returns 404 for an unknown run', async () => {
      expect(await get('/dag-runs/talkative/none/spec')).toMatchObject({ status: 404 });
    });
  });

  describe('GET /dag-runs/{name}/{dagRunId}/sub-dag-runs/{subDAGRunId}/spec', () => {
    it('returns 200 with the file that contains its DAG', async () => {
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

    it('returns 404 for an unknown run', async () => {
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

    it('returns 404 for an unknown step', async () => {
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

  describe('GET /dag-runs/{name}/{dagRunId}/log/lines', () => {
    it('returns 200 with numbered lines and their times', async () => {
      const { status, body } = await get(`${base}/log/lines?limit=1`);

      expect(status).toBe(200);
      expect(body).toMatchObject({ lines: [{ number: 1, byte: 0, time: aTime, isCut: false }], nextLine: 2 });
    });
  });

  describe('GET /dag-runs/{name}/{dagRunId}/steps/{stepName}/log/lines', () => {
    it('returns 200 with any line, and both streams as one log', async () => {
      expect(await get(`${base}/steps/say%20it/log/lines?line=2&limit=1`)).toMatchObject({
        status: 200,
        body: { lines: [{ number: 2, byte: 7, text: 'line 2', time: aTime }], totalLines: 3 },
      });
      const { lines } = (await get(`${base}/steps/say%20it/log/lines?stream=both`)).body as LogLinesResponse;
      expect(lines.map(({ stream, text }) => `${stream} ${text}`).toSorted()).toEqual([
        'stderr oops',
        'stdout line 1',
        'stdout line 2',
        'stdout line 3',
      ]);
    });
  });

  describe('GET /dag-runs/{name}/{dagRunId}/sub-dag-runs/{subDAGRunId}/log/lines', () => {
    it('returns 200 with the lines of the child run', async () => {
      expect(await get(`${sub}/log/lines?tail=1`)).toMatchObject({ status: 200, body: { lines: [{ time: aTime }] } });
    });
  });

  describe('GET /dag-runs/{name}/{dagRunId}/sub-dag-runs/{subDAGRunId}/steps/{stepName}/log/lines', () => {
    it('returns 200 with the lines of the stream', async () => {
      expect(await get(`${sub}/steps/answer/log/lines`)).toMatchObject({
        status: 200,
        body: { lines: [{ number: 1, text: 'from below', time: aTime }], totalBytes: 11 },
      });
    });
  });

  const follow = async (path: string): Promise<readonly ReceivedEvent[]> => {
    const events = await openEvents(`${weir.baseUrl}${path}`, { authorization: `Bearer ${admin}` });
    const received = [await events.next()];
    while (received.at(-1)?.event !== 'end') received.push(await events.next());
    await events.close();
    return received;
  };
  const linesOf = (events: readonly ReceivedEvent[]) =>
    events.flatMap(({ event, data }) => (event === 'lines' ? (data as LogLinesResponse).lines : []));

  describe('GET /dag-runs/{name}/{dagRunId}/steps/{stepName}/log/follow', () => {
    it('returns 200 with each line while it is printed, until the step has ended', async () => {
      const go = weir.home.file('go');
      const wait = `name: followed\nsteps:\n  - name: talk\n    run: echo first; until [ -e ${go} ]; do sleep 0.02; done; echo second\n`;
      const { dagRunId } = await weir.createClient(admin).executeDagRunFromSpec({ body: { spec: wait } });
      const path = `/dag-runs/followed/${dagRunId}/steps/talk/log/follow`;
      const events = await openEvents(`${weir.baseUrl}${path}`, { authorization: `Bearer ${admin}` });
      const first = await events.next();
      await events.close();
      const again = await openEvents(`${weir.baseUrl}${path}?lastEventId=${first.id}`, {
        authorization: `Bearer ${admin}`,
      });
      await writeFile(go, '');

      expect(first).toMatchObject({ event: 'lines', id: '2.6', data: { lines: [{ number: 1, text: 'first' }] } });
      expect(await again.next()).toMatchObject({ event: 'lines', data: { lines: [{ number: 2, text: 'second' }] } });
      expect(await again.next()).toMatchObject({ event: 'end', data: { nextLine: 3, nextByte: 13 } });
      await again.close();
    });

    it('returns 200 with both streams', async () => {
      const lines = linesOf(await follow(`${base}/steps/say%20it/log/follow?stream=both`));

      expect(lines.map(({ number }) => number)).toEqual([1, 2, 3, 4]);
      expect(lines.find(({ stream }) => stream === 'stderr')).toMatchObject({ text: 'oops' });
    });

    it('returns 400 for an invalid id, 404 for an unknown step', async () => {
      expect(await get(`${base}/steps/say%20it/log/follow?lastEventId=x`)).toMatchObject({
        status: 400,
        body: { reason: 'invalid_last_event_id' },
      });
      expect(await get(`${base}/steps/none/log/follow`)).toMatchObject({ status: 404 });
    });
  });

  describe('GET /dag-runs/{name}/{dagRunId}/log/follow', () => {
    it('returns 200 with the lines of the run', async () => {
      const { content } = (await get(`${base}/log`)).body as { content: string };
      const lines = linesOf(await follow(`${base}/log/follow`));

      expect(lines.map(({ text }) => text).join('\n')).toBe(content);
    });
  });

  describe('GET /dag-runs/{name}/{dagRunId}/sub-dag-runs/{subDAGRunId}/log/follow', () => {
    it('returns 200 with the lines of the child run', async () => {
      expect(linesOf(await follow(`${sub}/log/follow?tail=1`))).toMatchObject([{ time: aTime }]);
    });
  });

  describe('GET /dag-runs/{name}/{dagRunId}/sub-dag-runs/{subDAGRunId}/steps/{stepName}/log/follow', () => {
    it('returns 200 with the lines of the stream', async () => {
      const events = await follow(`${sub}/steps/answer/log/follow`);

      expect(linesOf(events)).toMatchObject([{ number: 1, text: 'from below' }]);
    });
  });

  describe('GET /dag-runs/{name}/{dagRunId}/log/search', () => {
    it('returns 200 with the lines that match', async () => {
      const { content } = (await get(`${base}/log`)).body as { content: string };
      const [first = ''] = content.split('\n');

      expect(await get(`${base}/log/search?query=${encodeURIComponent(first)}`)).toMatchObject({
        status: 200,
        body: { groups: [[{ number: 1, text: first, isMatch: true }]], isComplete: true },
      });
    });
  });

  describe('GET /dag-runs/{name}/{dagRunId}/steps/{stepName}/log/search', () => {
    it('returns 200 with the lines of both streams', async () => {
      const query = 'query=LINE%20[23]|oops&regex=true&ignoreCase=true&stream=both';

      expect(await get(`${base}/steps/say%20it/log/search?${query}`)).toMatchObject({
        status: 200,
        body: { matchingLines: 3, isComplete: true },
      });
    });

    it('returns 400 for an invalid pattern', async () => {
      const path = `${base}/steps/say%20it/log/search?query=(&regex=true`;

      expect(await get(path)).toMatchObject({ status: 400, body: { reason: 'invalid_pattern' } });
    });
  });

  describe('GET /dag-runs/{name}/{dagRunId}/sub-dag-runs/{subDAGRunId}/log/search', () => {
    it('returns 200 with the matches in the log of the child run', async () => {
      expect(await get(`${sub}/log/search?query=nowhere`)).toMatchObject({ status: 200, body: { groups: [] } });
    });
  });

  describe('GET /dag-runs/{name}/{dagRunId}/sub-dag-runs/{subDAGRunId}/steps/{stepName}/log/search', () => {
    it('returns 200 with the lines that match', async () => {
      expect(await get(`${sub}/steps/answer/log/search?query=below`)).toMatchObject({
        status: 200,
        body: { groups: [[{ text: 'from below', spans: [{ start: 5, end: 10 }] }]] },
      });
    });
  });
});
