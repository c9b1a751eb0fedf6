import { appendFile, open, writeFile } from 'node:fs/promises';
import type { LogLinesResponse } from '@weir/workflow-contract/schemas';
import { openEvents, type OpenedEvents, type ReceivedEvent } from '@weir/test-kit';
import { aRun, aRunStep, toOwnerEvent } from '@weir/workflow-engine/testing';
import { unaudited } from '../../access/audited-operation';
import { badRequest } from '../../testing/answers';
import { useWorkflow } from '../../testing/use-workflow';

const opened: OpenedEvents[] = [];
// Before the server is stopped.
afterEach(() => Promise.all(opened.splice(0).map((events) => events.close())));
const workflow = useWorkflow();
const { get } = workflow;
const logFile = (name: string) => workflow.server.folder.file('logs', name);
const lease = { ownerId: 'one', token: 1 };

beforeEach(async () => {
  const step = aRunStep({
    name: 'count',
    status: 'running',
    stdoutFile: logFile('a.out'),
    stderrFile: logFile('a.err'),
  });
  const run = aRun({ status: 'running', ownerId: 'one', fencingToken: 1, logFile: logFile('run') });
  await workflow.server.application.runs.insert(run, [step], { audit: unaudited, singleton: false });
  await writeFile(logFile('run'), 'begun\n');
  await writeFile(logFile('a.out'), 'one\ntwo\nthr');
  await writeFile(logFile('a.err'), 'oops\n');
});

const run = '/dag-runs/nightly/run-1';
const step = `${run}/steps/count`;
const follow = async (path: string, headers: Record<string, string> = {}): Promise<OpenedEvents> => {
  const events = await openEvents(`${workflow.server.api.url}/api/v1${path}`, {
    authorization: `Bearer ${workflow.asAdmin}`,
    ...headers,
  });
  opened.push(events);
  return events;
};
const textsOf = ({ data }: ReceivedEvent) => (data as LogLinesResponse).lines.map(({ text }) => text);
const endStep = () =>
  workflow.server.application.runs.commit(
    'run-1',
    {
      kind: 'steps_changed',
      lease,
      patches: [{ position: 0, status: 'succeeded', finishedAt: new Date() }],
    },
    { audit: unaudited },
  );

describe('GET …/log/follow', () => {
  it('sends the complete lines, the following ones, and the end', async () => {
    const events = await follow(`${step}/log/follow`);
    const first = await events.next();
    await appendFile(logFile('a.out'), 'ee\nlast');
    const second = await events.next();
    await endStep();
    const third = await events.next();

    expect(first).toMatchObject({ event: 'lines', id: '3.8', data: { nextLine: 3, nextByte: 8 } });
    expect([first, second, third].map(textsOf)).toEqual([['one', 'two'], ['three'], ['last']]);
    expect(await events.next()).toEqual({ event: 'end', id: undefined, data: { nextLine: 5, nextByte: 18 } });
  });

  it.each([
    ['line=2', ['two']],
    ['byte=1', ['one', 'two']],
    ['tail=2', ['two']],
  ])('begins at %s', async (query, texts) => {
    expect(textsOf(await (await follow(`${step}/log/follow?${query}`)).next())).toEqual(texts);
  });

  it('sends the lines of one attempt, until the step has ended', async () => {
    const start = Float64Array.of(-1, 4, 0);
    await writeFile(logFile('a.times'), new Uint8Array(start.buffer));
    const events = await follow(`${step}/log/follow?attempt=2`);
    const first = await events.next();
    await appendFile(logFile('a.out'), 'ee\n');
    const second = await events.next();
    await endStep();

    expect([first, second].map(textsOf)).toEqual([['two'], ['three']]);
    expect(await events.next()).toMatchObject({ event: 'end', data: { nextLine: 3 } });
  });

  it('sends only new lines with tail=0', async () => {
    const events = await follow(`${step}/log/follow?tail=0&stream=stderr`);
    await appendFile(logFile('a.err'), 'again\n');

    expect(await events.next()).toMatchObject({ data: { lines: [{ number: 2, byte: 5, text: 'again' }] } });
  });

  it('continues after the last event id, by header or query', async () => {
    const byHeader = await follow(`${step}/log/follow?line=1`, { 'last-event-id': '2.4' });
    const byQuery = await follow(`${step}/log/follow?lastEventId=2.4`);

    expect(textsOf(await byHeader.next())).toEqual(['two']);
    expect(textsOf(await byQuery.next())).toEqual(['two']);
  });

  it('sends both streams as one log', async () => {
    await writeFile(logFile('a.times'), new Uint8Array(Float64Array.of(1, 4, 5).buffer));
    const events = await follow(`${step}/log/follow?stream=both`);
    const first = await events.next();
    await endStep();

    expect(first).toMatchObject({
      data: {
        lines: [
          { text: 'one', stream: 'stdout' },
          { text: 'oops', stream: 'stderr' },
        ],
      },
    });
    expect(textsOf(await events.next())).toEqual(['two', 'thr']);
    expect(await events.next()).toMatchObject({ event: 'end' });
  });

  it('sends the log of a run until after its last line', async () => {
    const events = await follow(`${run}/log/follow`);
    await events.next();
    const end = { status: 'succeeded', finishedAt: new Date(), error: null } as const;
    await workflow.server.application.runs.commit('run-1', toOwnerEvent(lease, [], end), { audit: unaudited });
    await appendFile(logFile('run'), 'ended\n');

    expect(textsOf(await events.next())).toEqual(['ended']);
    expect(await events.next()).toMatchObject({ event: 'end' });
  });

  it('reports from where a cut log is different', async () => {
    await writeFile(logFile('a.out'), 'one\ntwo\nthree\nfour\n');
    const events = await follow(`${step}/log/follow`);
    await events.next();
    // The size changes once, so that no look in between finds another cut.
    const file = await open(logFile('a.out'), 'r+');
    await file.write('\n[cut]\n', 6);
    await file.truncate(13);
    await file.close();

    expect(await events.next()).toEqual({ event: 'cut', id: '2.4', data: { line: 2, byte: 4 } });
    expect(textsOf(await events.next())).toEqual(['tw', '[cut]']);
  });

  it('begins again where the last event id is after the end', async () => {
    const events = await follow(`${step}/log/follow?lastEventId=9.900`);

    expect(await events.next()).toMatchObject({ event: 'cut', data: { line: 2, byte: 4 } });
  });

  it('is closed when the run is deleted', async () => {
    const events = await follow(`${step}/log/follow?tail=0`);
    const end = { status: 'failed', finishedAt: new Date(), error: null } as const;
    await workflow.server.application.runs.commit('run-1', toOwnerEvent(lease, [], end), { audit: unaudited });
    await workflow.server.application.runs.remove('run-1');

    expect(await events.next()).toMatchObject({ event: 'closed', data: { code: 'not_found' } });
  });

  it.each([
    ['lastEventId=x', 'invalid_last_event_id'],
    ['tail=10001', 'request_invalid'],
    ['stream=all', 'request_invalid'],
  ])('returns 400 for %s', async (query, reason) => {
    await expect(get(`${step}/log/follow?${query}` as `/${string}`)).resolves.toMatchObject(badRequest(reason));
  });

  it.each([
    ['another run', '/dag-runs/nightly/other/log/follow', 'dag_run_not_found'],
    ['another step', `${run}/steps/other/log/follow`, 'step_not_found'],
    ['another child run', `${run}/sub-dag-runs/other/log/follow`, 'dag_run_not_found'],
  ])('returns 404 for %s', async (_, path, reason) => {
    await expect(get(path as `/${string}`)).resolves.toMatchObject({ status: 404, body: { reason } });
  });
});
