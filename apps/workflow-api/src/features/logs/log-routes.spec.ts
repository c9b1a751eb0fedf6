import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { aRun, aRunStep } from '@weir/workflow-engine/testing';
import { unaudited } from '../../access/audited-operation';
import { badRequest } from '../../testing/answers';
import { useWorkflow } from '../../testing/use-workflow';

const workflow = useWorkflow();
const { get } = workflow;
const now = new Date();
const add = (values: Parameters<typeof aRun>[0] = {}, steps = [aRunStep()]) =>
  workflow.server.application.runs.insert(aRun({ createdAt: now, ...values }), steps, {
    audit: unaudited,
    singleton: false,
  });
const runNotFound = { status: 404, body: { code: 'not_found', reason: 'dag_run_not_found' } };

describe('GET /dag-runs/{name}/{dagRunId}/log', () => {
  const logFile = () => workflow.server.folder.file('logs', 'run.log');

  beforeEach(() => add({ logFile: logFile() }));

  describe('200', () => {
    it('is empty while nothing was written', async () => {
      const { status, body } = await get('/dag-runs/nightly/run-1/log');

      expect(status).toBe(200);
      expect(body).toEqual({ content: '', lineCount: 0, totalLines: 0, hasMore: false, isEstimate: false });
    });

    it.each([
      ['', 'a\nb\nc', 3, false],
      ['?tail=2', 'b\nc', 2, true],
      ['?head=1', 'a', 1, true],
      ['?offset=2&limit=1', 'b', 1, true],
      ['?tail=1&head=2&offset=1', 'c', 1, true],
      ['?offset=9', '', 0, false],
    ])('returns the part selected by "%s"', async (query, content, lineCount, hasMore) => {
      await writeFile(logFile(), 'a\nb\nc\n');

      await expect(get(`/dag-runs/nightly/run-1/log${query}`)).resolves.toMatchObject({
        status: 200,
        body: { content, lineCount, hasMore },
      });
    });
  });

  it.each(['tail=0', 'head=x', 'limit=10001', 'offset=-1'])('returns 400 for %s', async (query) => {
    await expect(get(`/dag-runs/nightly/run-1/log?${query}`)).resolves.toMatchObject(badRequest('request_invalid'));
  });

  it('takes "latest" for the newest run', async () => {
    await writeFile(logFile(), 'newest\n');

    await expect(get('/dag-runs/nightly/latest/log')).resolves.toMatchObject({
      status: 200,
      body: { content: 'newest' },
    });
  });

  it('returns 404 for a run that does not exist', async () => {
    await expect(get('/dag-runs/nightly/other/log')).resolves.toMatchObject(runNotFound);
    await expect(get('/dag-runs/other/latest/log')).resolves.toMatchObject(runNotFound);
  });
});

describe('GET /dag-runs/{name}/{dagRunId}/steps/{stepName}/log', () => {
  const step = 'count / all?';
  const address = `/dag-runs/nightly/run-1/steps/${encodeURIComponent(step)}/log` as const;

  beforeEach(async () => {
    const [stdoutFile, stderrFile] = [
      workflow.server.folder.file('logs', 's', 'out'),
      workflow.server.folder.file('logs', 's', 'err'),
    ];
    await add({}, [aRunStep({ name: step, stdoutFile, stderrFile })]);
    await mkdir(path.dirname(stdoutFile), { recursive: true });
    await writeFile(stdoutFile, 'out 1\nout 2\n');
    await writeFile(stderrFile, 'err 1\n');
  });

  describe('200', () => {
    it.each([
      ['', 'out 1\nout 2'],
      ['?stream=stdout&tail=1', 'out 2'],
      ['?stream=stderr', 'err 1'],
    ])('returns the stream selected by "%s"', async (query, content) => {
      await expect(get(`${address}${query}`)).resolves.toMatchObject({ status: 200, body: { content } });
    });
  });

  it('returns 400 for another stream', async () => {
    await expect(get(`${address}?stream=both`)).resolves.toMatchObject(badRequest('request_invalid'));
  });

  it('finds a step in a loop by the loops around it and the indexes of their iterations', async () => {
    const file = workflow.server.folder.file('logs', 's', 'deep');
    await writeFile(file, 'deep down\n');
    const loop = (position: number, name: string, scope = '') => aRunStep({ position, name, scope });
    await add({ id: 'loops', dagRunId: 'loops' }, [
      loop(0, 'each'),
      loop(1, 'a/b', '0/1'),
      aRunStep({ scope: '0/1/1/2', name: 'deep', stdoutFile: file }),
      loop(0, 'end', 'on/exit'),
      aRunStep({ scope: 'on/exit/0/0', name: 'last', stdoutFile: file }),
    ]);
    const read = (name: string) => get(`/dag-runs/nightly/loops/steps/${encodeURIComponent(name)}/log`);

    await expect(read('each/1/a/b/2/deep')).resolves.toMatchObject({ body: { content: 'deep down' } });
    await expect(read('end/0/last')).resolves.toMatchObject({ body: { content: 'deep down' } });
    for (const name of ['deep', 'each/1/a/b/0/deep', 'a/b/2/deep', '0/deep'])
      await expect(read(name)).resolves.toMatchObject({ status: 404, body: { reason: 'step_not_found' } });
  });

  it('returns 404 for a step or a run that does not exist', async () => {
    await expect(get('/dag-runs/nightly/run-1/steps/other/log')).resolves.toMatchObject({
      status: 404,
      body: { reason: 'step_not_found' },
    });
    await expect(get('/dag-runs/nightly/other/steps/other/log')).resolves.toMatchObject(runNotFound);
  });
});
