import { onEachDatabase } from '../../support/databases';
import { setUpAdmin } from '../../support/people';
import { endOfRun } from '../../support/runs';
import type { Answer, Weir } from '../../support/weir-server';

interface Outcomes {
  readonly events: readonly {
    readonly dags: readonly { readonly dagName: string; readonly outcome: string; readonly dagRunId?: string }[];
  }[];
}

const bill = `triggers:
  - event: com.example.order.*
    source: /shop/*
    filter: .data.total > 100
steps:
  - run: case "$WEIR_TRIGGER_EVENT" in *'"total":500'*) ;; *) exit 1;; esac
`;
const pack = 'triggers: [{event: com.example.order.created}]\nsteps:\n  - run: "true"\n';
const order = (id: string, total: number) => ({
  specversion: '1.0',
  id,
  source: '/shop/eu',
  type: 'com.example.order.created',
  data: { total },
});

onEachDatabase((start) => {
  let weir: Weir;
  let token: string;
  const send = (body: unknown, headers: Readonly<Record<string, string>>) =>
    weir.request('POST', '/events', { token, body, headers });
  const outcomes = ({ body }: Answer) =>
    (body as Outcomes).events.map(({ dags }) => dags.map(({ dagName, outcome }) => `${dagName} ${outcome}`));
  const structured = { 'content-type': 'application/cloudevents+json' };

  beforeAll(async () => {
    weir = await start({ env: { WEIR_SKIP_EXAMPLES: 'true' } });
    token = await setUpAdmin(weir);
    const client = weir.createClient(token);
    await client.createNewDag({ body: { name: 'bill', spec: bill } });
    await client.createNewDag({ body: { name: 'pack', spec: pack } });
  });
  afterAll(() => weir.dispose());

  describe('POST /events', () => {
    it('returns 200 with the runs of an event, which starts each DAG once, whatever the mode in which it is delivered', async () => {
      const first = await send(order('1', 500), structured);
      const { events } = first.body as Outcomes;
      expect(outcomes(first)).toEqual([['bill started', 'pack started']]);

      const { data, ...attributes } = order('1', 500);
      const headers = Object.fromEntries(Object.entries(attributes).map(([name, value]) => [`ce-${name}`, value]));
      const again = await send(data, { ...headers, 'content-type': 'application/json' });
      expect(outcomes(again)).toEqual([['bill already_started', 'pack already_started']]);
      const batch = await send([order('1', 500), order('2', 3)], {
        'content-type': 'application/cloudevents-batch+json',
      });
      expect(outcomes(batch)).toEqual([
        ['bill already_started', 'pack already_started'],
        ['bill filtered', 'pack started'],
      ]);

      const runs = await weir.createClient(token).listDagRuns({ query: { name: 'bill' } });
      expect(runs.dagRuns).toMatchObject([{ triggerType: 'event', dagRunId: events[0]?.dags[0]?.dagRunId }]);
      await expect(endOfRun(weir, token, 'bill', runs.dagRuns[0]?.dagRunId ?? '')).resolves.toMatchObject({
        statusLabel: 'succeeded',
      });
    });

    it('returns 200 without runs of suspended DAGs', async () => {
      await weir.request('POST', '/dags/pack/suspend', { token, body: { suspend: true } });
      expect(outcomes(await send(order('3', 3), structured))).toEqual([['bill filtered', 'pack suspended']]);
    });

    it('returns 400 for an event that lacks an attribute, and 413 for one that is too large', async () => {
      const refused = await send({ ...order('4', 3), source: '' }, structured);
      expect(refused).toMatchObject({ status: 400, body: { reason: 'event_invalid' } });
      await expect(send({ ...order('5', 3), data: 'x'.repeat(100_001) }, structured)).resolves.toMatchObject({
        status: 413,
        body: { reason: 'event_too_large' },
      });
    });
  });
});
