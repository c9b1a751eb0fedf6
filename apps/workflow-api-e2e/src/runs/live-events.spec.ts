import { writeFile } from 'node:fs/promises';
import { openEvents, type OpenedEvents } from '@weir/test-kit';
import { onEachDatabase } from '../support/databases';
import { setUpAdmin } from '../support/people';
import type { Weir } from '../support/weir-server';

onEachDatabase((start) => {
  let weir: Weir;
  let admin: string;
  const streams: OpenedEvents[] = [];

  beforeAll(async () => {
    weir = await start({ env: { WEIR_SKIP_EXAMPLES: 'true' } });
    admin = await setUpAdmin(weir);
    const hold = weir.home.file('hold');
    const spec = `type: chain\nsteps:\n  - name: first\n    run: echo one\n  - name: second\n    run: until [ -e ${hold} ]; do sleep 0.02; done\n`;
    await weir.createClient(admin).createNewDag({ body: { name: 'live', spec } });
  }, 60_000);

  afterEach(() => Promise.all(streams.splice(0).map((stream) => stream.close())));
  afterAll(() => weir.dispose());

  const open = async (query: string, headers: Record<string, string> = {}): Promise<OpenedEvents> => {
    const stream = await openEvents(`${weir.baseUrl}/events/stream?${query}`, {
      authorization: `Bearer ${admin}`,
      ...headers,
    });
    streams.push(stream);
    return stream;
  };

  describe('GET /events/stream', () => {
    it('returns 200 and reports a run from its start to its end, even to a client that reconnects', async () => {
      await weir.createClient(admin).executeDag({ params: { fileName: 'live' }, body: { dagRunId: 'watched' } });
      const topic = 'dagrun:live/watched';
      const stream = await open(`topic=${topic}&topic=queues:`);
      expect(await stream.next()).toMatchObject({ event: 'control', data: { subscribed: [topic, 'queues:'] } });

      const waiting = await stream.until(({ data }) => JSON.stringify(data).includes('"statusLabel":"succeeded"'));
      expect(waiting.data).toMatchObject({ topic });
      await stream.close();
      await writeFile(weir.home.file('hold'), '');
      const again = await open(`topic=${topic}`, { 'last-event-id': waiting.id ?? '' });
      const ended = await again.until(({ data }) => {
        const { payload } = data as { payload?: { dagRunDetails: { statusLabel: string } } };
        return payload?.dagRunDetails.statusLabel === 'succeeded';
      });

      const [before, after] = [waiting, ended].map(({ id = '' }) => id.split('.'));
      expect(after?.[0]).toBe(before?.[0]);
      expect(Number(after?.[1])).toBeGreaterThan(Number(before?.[1]));
    });

    it('returns 200 and notifies other clients that a queue is paused', async () => {
      const spec = `steps:\n  - run: until [ -e ${weir.home.file('release')} ]; do sleep 0.02; done\n`;
      await weir.createClient(admin).createNewDag({ body: { name: 'busy', spec } });
      await weir.createClient(admin).enqueueDag({ params: { fileName: 'busy' }, body: {} });
      const stream = await open('topic=queues:');
      await weir.request('POST', '/queues/busy/pause', { token: admin });
      const paused = await stream.until(({ data }) => JSON.stringify(data).includes('"pausedBy":"ada"'));

      expect(paused).toMatchObject({ event: 'message', data: { topic: 'queues:' } });
      await weir.createClient(admin).deleteDag({ params: { fileName: 'busy' } });
    });

    it('returns 400 for an invalid id', async () => {
      expect(await weir.request('GET', '/events/stream?lastEventId=x', { token: admin })).toMatchObject({
        status: 400,
        body: { reason: 'invalid_last_event_id' },
      });
    });

    it('returns 401 without a credential', async () => {
      expect(await weir.request('GET', '/events/stream')).toMatchObject({ status: 401 });
    });
  });

  describe('POST /events/stream/topics', () => {
    it('returns 200 and adds a topic to the stream', async () => {
      const stream = await open('');
      const { sessionID } = (await stream.next()).data as { sessionID: string };
      const body = { sessionID, add: ['dagslist:'] };

      expect(await weir.request('POST', '/events/stream/topics', { token: admin, body })).toMatchObject({
        status: 200,
        body: { subscribed: ['dagslist:'], errors: [] },
      });
      expect(await stream.next()).toMatchObject({ data: { topic: 'dagslist:', payload: { dags: [{}] } } });
    });

    it('returns 404 for an unknown stream', async () => {
      const body = { sessionID: 'none' };
      expect(await weir.request('POST', '/events/stream/topics', { token: admin, body })).toMatchObject({
        status: 404,
        body: { reason: 'unknown_session' },
      });
    });
  });
});
