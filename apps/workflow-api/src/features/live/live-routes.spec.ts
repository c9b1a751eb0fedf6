import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { openEvents, waitFor, type OpenedEvents } from '@weir/test-kit';
import { aRun, aRunStep, toOwnerEvent } from '@weir/workflow-engine/testing';
import { unaudited } from '../../access/audited-operation';
import { badRequest } from '../../testing/answers';
import { createTestWorkflow, type TestWorkflow } from '../../testing/workflow-api';

let test: TestWorkflow;
let asAdmin: string;
const opened: OpenedEvents[] = [];

beforeEach(async () => {
  test = await createTestWorkflow();
  asAdmin = await test.createKey('admin');
  await add();
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((events) => events.close()));
  await test.stop();
});

const add = (values: Parameters<typeof aRun>[0] = {}, steps = [aRunStep()]) =>
  test.application.runs.insert(aRun({ status: 'running', ownerId: 'one', fencingToken: 1, ...values }), steps, {
    audit: unaudited,
    singleton: false,
  });
const lease = { ownerId: 'one', token: 1 };
const finishStep = () =>
  test.application.runs.commit(
    'run-1',
    {
      kind: 'steps_changed',
      lease,
      patches: [{ position: 0, status: 'succeeded' }],
    },
    { audit: unaudited },
  );
const open = async (query: string, as = asAdmin, headers: Record<string, string> = {}): Promise<OpenedEvents> => {
  const events = await openEvents(`${test.api.url}/api/v1/events/stream?${query}`, {
    authorization: `Bearer ${as}`,
    ...headers,
  });
  opened.push(events);
  return events;
};
const topic = 'dagrun:nightly/run-1';

/** Of the state, among those of the process. */
const numberOf = ({ id = '' }: { readonly id?: string | undefined }): number => Number(id.split('.')[1]);

describe('GET /events/stream', () => {
  it('returns 200 with the topics, then with the answer of their operation', async () => {
    const events = await open(`topic=${topic}`);
    const { body } = await test.api.send('GET /dag-runs/nightly/run-1', { as: asAdmin });

    await expect(events.next()).resolves.toMatchObject({
      event: 'control',
      id: undefined,
      data: { subscribed: [topic] },
    });
    await expect(events.next()).resolves.toEqual({
      event: 'message',
      id: expect.stringMatching(/^[0-9a-f]{8}\.\d+$/) as string,
      data: { topic, payload: body },
    });
  });

  it('sends a run again after each change, with a greater id', async () => {
    const events = await open(`topics=${topic}`);
    await events.next();
    const first = await events.next();
    await finishStep();
    const second = await events.next();

    expect(second.data).toMatchObject({ payload: { dagRunDetails: { nodes: [{ statusLabel: 'succeeded' }] } } });
    expect(numberOf(second)).toBeGreaterThan(numberOf(first));
  });

  it('sends patches to clients that want them', async () => {
    const events = await open(`topic=${topic}&delta=true`);
    await events.next();
    const first = await events.next();
    await finishStep();

    await expect(events.next()).resolves.toMatchObject({
      event: 'delta',
      data: {
        topic,
        from: first.id,
        patch: expect.arrayContaining([
          { op: 'replace', path: '/dagRunDetails/nodes/0/statusLabel', value: 'succeeded' },
        ]) as unknown,
      },
    });
  });

  it('sends only what the client has missed', async () => {
    const events = await open(`topic=${topic}&topic=queues:`);
    await events.next();
    const seen = [await events.next(), await events.next()];
    const last = seen.toSorted((left, right) => numberOf(left) - numberOf(right)).at(-1)?.id ?? '';
    await events.close();
    await finishStep();
    const again = await open(`topic=${topic}&topic=queues:`, asAdmin, { 'last-event-id': last });

    await expect(again.next()).resolves.toMatchObject({ event: 'control' });
    await expect(again.next()).resolves.toMatchObject({ data: { topic } });
  });

  it('sends lists when a run is stored', async () => {
    const events = await open('topic=dagruns:name%3Dnightly&topic=daghistory:nothing');
    await expect(events.next()).resolves.toMatchObject({
      data: { subscribed: ['dagruns:name=nightly'], errors: [{ topic: 'daghistory:nothing', code: 'not_found' }] },
    });
    await events.next();
    await add({ id: 'run-2', dagRunId: 'run-2', createdAt: new Date() });

    await expect(events.next()).resolves.toMatchObject({ data: { payload: { dagRuns: [{ dagRunId: 'run-2' }] } } });
  });

  it.each([
    ['counts', 'runcounts:by=status', { total: 0 }, { total: 1, statuses: [{ statusLabel: 'failed' }] }],
    ['failures', 'runfailures:limit=3', { failures: [] }, { failures: [{ run: { dagRunId: 'run-2' } }] }],
  ])('sends %s when a run is stored', async (_what, summary, before, after) => {
    const events = await open(`topic=${encodeURIComponent(summary)}`);
    await events.next();
    await expect(events.next()).resolves.toMatchObject({ data: { topic: summary, payload: before } });
    await add({ id: 'run-2', dagRunId: 'run-2', createdAt: new Date(), status: 'failed' });

    await expect(events.next()).resolves.toMatchObject({ data: { payload: after } });
  });

  it('sends a log that grows', async () => {
    const stdoutFile = test.folder.file('logs', 's', 'out');
    await mkdir(test.folder.file('logs', 's'), { recursive: true });
    await writeFile(stdoutFile, 'one\n');
    await add({ id: 'logged', dagRunId: 'logged' }, [aRunStep({ name: 'a/b', stdoutFile })]);
    const events = await open(`topic=${encodeURIComponent('steplog:nightly/logged/a/b')}`);
    await events.next();
    await expect(events.next()).resolves.toMatchObject({ data: { payload: { stdoutContent: 'one', totalLines: 1 } } });
    // The size before is known only after the first look.
    let lines = 1;
    const grown = await waitFor(
      async () => {
        await appendFile(stdoutFile, 'more\n');
        lines += 1;
        return events.nextWithin(300);
      },
      { what: 'an event of the log' },
    );

    expect(lines).toBeGreaterThan(1);
    expect(grown.data).toMatchObject({ topic: 'steplog:nightly/logged/a/b' });
  });

  it('reports the end of a growing log', async () => {
    const stdoutFile = test.folder.file('logs', 's', 'b.out');
    await mkdir(test.folder.file('logs', 's'), { recursive: true });
    await writeFile(stdoutFile, 'one\ntwo\n');
    await add({ id: 'lines', dagRunId: 'lines' }, [aRunStep({ name: 'a/b?', stdoutFile })]);
    const topic = `loglines:nightly/lines?${new URLSearchParams({ step: 'a/b?', stream: 'stdout' }).toString()}`;
    const events = await open(`topic=${encodeURIComponent(topic)}`);

    await expect(events.next()).resolves.toMatchObject({ data: { subscribed: [topic] } });
    const end = { totalLines: 2, totalBytes: 8, lines: [{ number: 2, text: 'two' }] };
    await expect(events.next()).resolves.toMatchObject({ data: { topic, payload: end } });
    const grown = await waitFor(
      async () => {
        await appendFile(stdoutFile, 'more\n');
        return events.nextWithin(300);
      },
      { what: 'an event of the log' },
    );
    expect(grown.data).toMatchObject({ topic });
  });

  it.each([
    ['invalid_topic', 'loglines:nightly/lines?tail=5'],
    ['invalid_topic', 'loglines:nightly/lines?stream=stdout'],
    ['not_found', 'loglines:nightly/none'],
    ['unsupported_topic', 'queueitems:x'],
    ['invalid_topic', 'dagrun:nightly'],
    ['invalid_topic', 'dagruns:limit=x'],
    ['not_found', 'dagrun:nightly/none'],
  ])('reports %s for %s without ending the stream', async (code, text) => {
    const events = await open(`topic=${encodeURIComponent(text)}`);

    await expect(events.next()).resolves.toMatchObject({
      event: 'control',
      data: { subscribed: [], errors: [{ topic: text, code }] },
    });
  });

  it('hides a run of another workspace', async () => {
    await add({ id: 'other', dagRunId: 'other', workspace: 'ops' });
    const events = await open('topic=dagrun:nightly/other', await test.createKey('viewer', { sales: 'viewer' }));

    await expect(events.next()).resolves.toMatchObject({ data: { errors: [{ code: 'not_found' }] } });
  });

  it('closes the topic of a run that is deleted', async () => {
    await test.application.runs.commit(
      'run-1',
      toOwnerEvent(lease, [], {
        status: 'succeeded',
        finishedAt: new Date(),
        error: null,
      }),
      { audit: unaudited },
    );
    const events = await open(`topic=${topic}`);
    await events.next();
    await events.next();
    await test.application.runs.remove('run-1');

    await expect(events.next()).resolves.toMatchObject({ event: 'closed', data: { topic, code: 'not_found' } });
  });

  it('accepts the token of the query', async () => {
    const response = await fetch(`${test.api.url}/api/v1/events/stream?token=${asAdmin}`);

    expect(response.status).toBe(200);
    await response.body?.cancel();
  });

  it.each([
    ['lastEventId=x', 'invalid_last_event_id'],
    [`topics=${Array.from({ length: 201 }, (_, index) => `dag:d${index}`).join()}`, 'too_many_topics'],
    ['remoteNode=other', 'remote_node_unknown'],
  ])('returns 400 for %s', async (query, reason) => {
    await expect(test.api.send(`GET /events/stream?${query}`, { as: asAdmin })).resolves.toMatchObject(
      badRequest(reason),
    );
  });
});

describe('GET /events/stream of a server with as many streams as it may have', () => {
  it('returns 503 until one of them ends', async () => {
    await test.stop();
    test = await createTestWorkflow({ config: { streams: { maxStreams: 1 } } });
    asAdmin = await test.createKey('admin');
    const first = await open('');
    await first.next();
    const second = () => test.api.send('GET /events/stream', { as: asAdmin });

    await expect(second()).resolves.toMatchObject({ status: 503, body: { reason: 'too_many_streams' } });
    await first.close();
    await waitFor(
      async () => {
        const response = await fetch(`${test.api.url}/api/v1/events/stream?token=${asAdmin}`);
        await response.body?.cancel();
        return response.status === 200 || undefined;
      },
      { what: 'a free stream' },
    );
  });
});

describe('POST /events/stream/topics', () => {
  const change = (body: object, as = asAdmin) => test.api.send('POST /events/stream/topics', { as, body });

  it('returns 200 and adds and removes topics', async () => {
    const events = await open(`topic=${topic}`);
    const { sessionID } = (await events.next()).data as { sessionID: string };
    await events.next();
    const { status, body } = await change({ sessionID, add: ['queues:', 'x:'], remove: [topic] });

    expect(status).toBe(200);
    expect(body).toMatchObject({ subscribed: ['queues:'], errors: [{ topic: 'x:', code: 'unsupported_topic' }] });
    await expect(events.next()).resolves.toMatchObject({ data: { topic: 'queues:' } });
  });

  it('sends the state of an added topic even on a stream that continues from a later event', async () => {
    const other = await open('topic=queues:');
    await other.next();
    const { id } = await other.next();
    const events = await open(`topic=queues:&lastEventId=${id}`);
    const { sessionID } = (await events.next()).data as { sessionID: string };
    await change({ sessionID, add: [], remove: ['queues:'] });
    await change({ sessionID, add: ['queues:'], remove: [] });

    await expect(events.next()).resolves.toMatchObject({ event: 'message', data: { topic: 'queues:' } });
  });

  it('returns 404 for the stream of another principal', async () => {
    const events = await open('');
    const { sessionID } = (await events.next()).data as { sessionID: string };

    await expect(change({ sessionID }, await test.createKey('admin'))).resolves.toMatchObject({
      status: 404,
      body: { reason: 'unknown_session' },
    });
  });
});
