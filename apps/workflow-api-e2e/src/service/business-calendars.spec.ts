import { onEachDatabase } from '../support/databases';
import { aUser, setUpAdmin } from '../support/people';
import type { RequestOptions, Weir } from '../support/weir-server';

onEachDatabase((start) => {
  let weir: Weir;
  let admin: string;
  let viewer: string;

  beforeAll(async () => {
    weir = await start({ env: { WEIR_SKIP_EXAMPLES: 'true' } });
    admin = await setUpAdmin(weir);
    viewer = (await aUser(weir, admin, 'viewer')).token;
  }, 60_000);
  afterAll(() => weir.dispose());

  const send = (operation: string, options: RequestOptions = {}) => {
    const [method = '', address = ''] = operation.split(' ');
    return weir.request(method, address, { token: admin, ...options });
  };
  const christmas = { date: '2026-12-25', name: 'Christmas Day' };

  describe('PUT /calendars/{calendarName}', () => {
    it('returns 200 with the calendar, and 403 for a viewer', async () => {
      expect(await send('PUT /calendars/bank-de', { body: { holidays: [christmas] } })).toMatchObject({
        status: 200,
        body: { name: 'bank-de', holidays: [christmas] },
      });
      expect((await send('PUT /calendars/bank-de', { body: {}, token: viewer })).status).toBe(403);
    });

    it('decides on which days the schedules that name it are due', async () => {
      await send('PUT /calendars/sundays', { body: { weekdays: ['SUN'] } });
      const spec = 'schedule: {expression: "0 9 * * *", calendar: sundays}\nsteps:\n  - run: echo\n';
      await send('POST /dags', { body: { name: 'payroll', spec } });
      const { body } = await send('GET /dags/payroll');
      const { nextRun } = (body as { dag: { nextRun: string } }).dag;
      expect(new Date(nextRun).getUTCDay()).toBe(0);
    });
  });

  describe('GET /calendars', () => {
    it('returns 200 with the calendars, to everybody', async () => {
      await send('PUT /calendars/listed', { body: { holidays: [christmas] } });
      const { status, body } = await send('GET /calendars', { token: viewer });
      expect(status).toBe(200);
      expect((body as { calendars: unknown[] }).calendars).toContainEqual(
        expect.objectContaining({ name: 'listed', holidays: 1 }),
      );
    });
  });

  describe('GET /calendars/{calendarName}', () => {
    it('returns 200 with the calendar, and 404 for an unknown one', async () => {
      await send('PUT /calendars/read', { body: { description: 'Read' } });
      expect((await send('GET /calendars/read', { token: viewer })).body).toMatchObject({ description: 'Read' });
      expect((await send('GET /calendars/nobody')).status).toBe(404);
    });
  });

  describe('GET /calendars/{calendarName}/days', () => {
    it('returns 200 with the days of a year on which schedules start nothing', async () => {
      await send('PUT /calendars/days', { body: { holidays: [christmas] } });
      const { status, body } = await send('GET /calendars/days/days?year=2026');
      expect(status).toBe(200);
      expect((body as { days: unknown[] }).days).toContainEqual({ ...christmas, kind: 'holiday' });
    });
  });

  describe('POST /calendars/import', () => {
    it('returns 200 with the holidays of a file, and 400 for another file', async () => {
      const range = { from: '2026-01-01', to: '2026-12-31' };
      const text = 'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nDTSTART;VALUE=DATE:20260501\r\nEND:VEVENT\r\nEND:VCALENDAR';
      expect(await send('POST /calendars/import', { body: { text, ...range } })).toMatchObject({
        status: 200,
        body: { holidays: [{ date: '2026-05-01' }], ignored: 0 },
      });
      expect((await send('POST /calendars/import', { body: { text: 'none', ...range } })).status).toBe(400);
    });
  });

  describe('DELETE /calendars/{calendarName}', () => {
    it('returns 204, and 409 for a calendar that another includes', async () => {
      await send('PUT /calendars/inner', { body: {} });
      await send('PUT /calendars/outer', { body: { include: ['inner'] } });
      expect((await send('DELETE /calendars/inner')).status).toBe(409);
      expect((await send('DELETE /calendars/outer')).status).toBe(204);
      expect((await send('DELETE /calendars/inner')).status).toBe(204);
    });
  });
});
