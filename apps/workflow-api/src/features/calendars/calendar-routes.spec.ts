import { useWorkflow } from '../../testing/use-workflow';

const workflow = useWorkflow();
const { get } = workflow;
const put = (name: string, body: object, as = workflow.asAdmin, headers: Record<string, string> = {}) =>
  workflow.server.api.send(`PUT /calendars/${name}`, { as, body, headers });
const remove = (name: string, as = workflow.asAdmin) => workflow.server.api.send(`DELETE /calendars/${name}`, { as });
const christmas = { date: '2026-12-25', name: 'Christmas Day' };

describe('PUT /calendars/{calendarName}', () => {
  it('creates and replaces a calendar, and everybody may read it', async () => {
    const created = await put('bank-de', { holidays: [christmas], through: '2027-12-31' });
    expect(created).toMatchObject({
      status: 200,
      body: { name: 'bank-de', weekdays: ['MON', 'TUE', 'WED', 'THU', 'FRI'], holidays: [christmas] },
    });
    await put('bank-de', { description: 'Banks', holidays: [christmas] });
    const as = await workflow.server.createKey('viewer');
    await expect(get('/calendars/bank-de', as)).resolves.toMatchObject({
      status: 200,
      body: { description: 'Banks', holidays: [christmas] },
    });
    await expect(get('/calendars', as)).resolves.toMatchObject({
      body: { calendars: [{ name: 'bank-de', description: 'Banks', holidays: 1 }] },
    });
  });

  it.each([
    ['an unknown calendar', { include: ['none'] }, 'calendar_include_unknown'],
    ['itself', { include: ['mine'] }, 'calendar_include_circle'],
    ['a date twice', { holidays: [christmas, christmas] }, 'request_invalid'],
    ['no time zone', { timeZone: 'Nowhere' }, 'request_invalid'],
    ['no date', { holidays: [{ date: '2026-02-30' }] }, 'request_invalid'],
  ])('returns 400 for %s', async (_, body, reason) => {
    await expect(put('mine', body)).resolves.toMatchObject({ status: 400, body: { reason } });
  });

  it('refuses calendars that include each other', async () => {
    await put('a', {});
    await put('b', { include: ['a'] });
    await expect(put('a', { include: ['b'] })).resolves.toMatchObject({
      status: 400,
      body: { reason: 'calendar_include_circle' },
    });
  });

  it('returns 412 for a revision that is not the present one, and 403 to a developer', async () => {
    await put('a', {});
    await expect(put('a', {}, workflow.asAdmin, { 'if-match': '"other"' })).resolves.toMatchObject({ status: 412 });
    await expect(put('a', {}, await workflow.server.createKey('developer'))).resolves.toMatchObject({ status: 403 });
  });
});

describe('DELETE /calendars/{calendarName}', () => {
  it('removes a calendar that no other includes', async () => {
    await put('a', {});
    await put('b', { include: ['a'] });
    await expect(remove('a')).resolves.toMatchObject({ status: 409, body: { reason: 'calendar_in_use' } });
    await expect(remove('b')).resolves.toMatchObject({ status: 204 });
    await expect(remove('a')).resolves.toMatchObject({ status: 204 });
    await expect(remove('a')).resolves.toMatchObject({ status: 404, body: { reason: 'calendar_not_found' } });
  });
});

it('lists the days of a year on which nobody works, or somebody works anyway', async () => {
  await put('state', { holidays: [christmas] });
  await put('shop', {
    include: ['state'],
    weekdays: ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'],
    extraBusinessDays: ['2026-12-20'],
  });

  const { days } = (await get('/calendars/shop/days?year=2026')).body as { days: { date: string; kind: string }[] };
  expect(days.filter(({ date }) => date >= '2026-12-19')).toEqual([
    { date: '2026-12-20', kind: 'extra' },
    { date: '2026-12-25', kind: 'holiday', name: 'Christmas Day' },
    { date: '2026-12-27', kind: 'weekend' },
  ]);
});

it('reads the holidays of an iCalendar file without storing anything', async () => {
  const text =
    'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY:May Day\r\nDTSTART;VALUE=DATE:20260501\r\nEND:VEVENT\r\nEND:VCALENDAR';
  const body = { text, from: '2026-01-01', to: '2026-12-31' };
  await expect(workflow.post('/calendars/import', body)).resolves.toMatchObject({
    status: 200,
    body: { holidays: [{ date: '2026-05-01', name: 'May Day' }], ignored: 0 },
  });
  await expect(get('/calendars')).resolves.toMatchObject({ body: { calendars: [] } });
});

describe('a DAG whose schedule names a calendar', () => {
  const spec = 'schedule: {expression: "0 9 * * *", calendar: bank-de}\nsteps:\n  - run: echo\n';

  it('has its next run on a business day, also after the calendar has changed', async () => {
    await put('bank-de', { weekdays: ['SUN'] });
    await workflow.server.addDag('payroll', spec);
    const nextDay = async () =>
      new Date(((await get('/dags/payroll')).body as { dag: { nextRun: string } }).dag.nextRun).getUTCDay();
    await expect(nextDay()).resolves.toBe(0);
    await put('bank-de', { weekdays: ['WED'] });
    await expect(nextDay()).resolves.toBe(3);
  });

  it('has a warning while there is no such calendar, and once it is not maintained any more', async () => {
    const findings = async () => (await workflow.post('/dags/validate', { spec })).body.findings;
    await expect(findings()).resolves.toMatchObject([{ code: 'unknown_calendar', severity: 'warning', line: 1 }]);
    await put('bank-de', { through: '2020-12-31' });
    await expect(findings()).resolves.toMatchObject([{ code: 'calendar_ended' }]);
    await put('bank-de', {});
    await expect(findings()).resolves.toEqual([]);
  });
});
