import { onEachDatabase } from '../support/databases';
import { aUser, setUpAdmin } from '../support/people';
import type { Weir } from '../support/weir-server';

const child = `schedule: "CRON_TZ=Europe/Berlin 30 2 * * *"
params:
  - {name: REGION, enum: [eu, us], required: true}
steps:
  - run: "true"
`;
const parent = 'steps:\n  - {name: call, action: dag.run, with: {dag: child, params: "REGION=eu"}}\n';

onEachDatabase((start) => {
  let weir: Weir;
  let admin: string;
  let viewer: string;

  beforeAll(async () => {
    weir = await start({ env: { WEIR_SKIP_EXAMPLES: 'true' } });
    admin = await setUpAdmin(weir);
    viewer = (await aUser(weir, admin, 'viewer')).token;
    for (const [name, spec] of Object.entries({ child, parent }))
      await weir.createClient(admin).createNewDag({ body: { name, spec } });
  }, 60_000);

  afterAll(() => weir.dispose());

  const get = (address: string) => weir.request('GET', address, { token: viewer });

  describe('GET /dags/{fileName}/occurrences', () => {
    it('returns 200 with the next occurrences and changes of clocks, and 404 for an unknown DAG', async () => {
      expect(await get('/dags/child/occurrences?after=2026-10-24T12:00:00Z&count=2')).toMatchObject({
        status: 200,
        body: {
          occurrences: [
            { time: '2026-10-25T00:30:00.000Z', clockChange: 'overlap' },
            { time: '2026-10-26T01:30:00.000Z', localTime: '2026-10-26T02:30:00+01:00' },
          ],
        },
      });
      expect((await get('/dags/nobody/occurrences')).status).toBe(404);
    });
  });

  describe('GET /dags/{fileName}/explain', () => {
    it('returns 200 with the reason why an occurrence has no run, and 404 for an unknown DAG', async () => {
      expect(await get('/dags/child/explain?occurrence=2020-01-01T01:30:00Z')).toMatchObject({
        status: 200,
        body: { name: 'child', occurrence: '2020-01-01T01:30:00.000Z', causes: [{ kind: 'unknown' }], skipped: [] },
      });
      expect(await get('/dags/parent/explain')).toMatchObject({ body: { causes: [{ kind: 'no_schedule' }] } });
      expect((await get('/dags/nobody/explain')).status).toBe(404);
    });
  });

  describe('GET /schedules/calendar', () => {
    it('returns 200 with the occurrences of the range, and 400 without an end', async () => {
      expect(await get('/schedules/calendar?after=2026-06-01T00:00:00Z&to=2026-06-03T00:00:00Z')).toMatchObject({
        status: 200,
        body: { occurrences: [{ fileName: 'child', action: 'start' }, { fileName: 'child' }], hasMore: false },
      });
      expect((await get('/schedules/calendar')).status).toBe(400);
    });
  });

  describe('GET /dags/{fileName}/params-schema', () => {
    it('returns 200 with the parameters, and 404 for an unknown DAG', async () => {
      expect(await get('/dags/child/params-schema')).toMatchObject({
        status: 200,
        body: { schema: { properties: { REGION: { enum: ['eu', 'us'] } }, required: ['REGION'] } },
      });
      expect((await get('/dags/nobody/params-schema')).status).toBe(404);
    });
  });

  describe('GET /dags/{fileName}/callers', () => {
    it('returns 200 with the callers, and 404 for an unknown DAG', async () => {
      expect(await get('/dags/child/callers')).toMatchObject({
        status: 200,
        body: { callers: [{ fileName: 'parent', name: 'parent', steps: ['call'] }] },
      });
      expect((await get('/dags/nobody/callers')).status).toBe(404);
    });
  });

  describe('GET /permissions', () => {
    it('returns 200 with the permissions of a viewer', async () => {
      expect(await get('/permissions')).toMatchObject({
        status: 200,
        body: { role: 'viewer', workspaces: [{ role: 'viewer', mayRun: false, mayWrite: false }] },
      });
    });
  });
});
