import { startAndWait } from './support/seed-runs';
import { usePages } from './support/use-pages';

const pages = usePages();

const early = `schedule: "30 4 * * *"
steps:
  - {id: one, run: echo}
`;

const longName = 'a-name-that-is-longer-than-the-column';

beforeAll(async () => {
  const server = pages.server();
  await server.setUp();
  await server.call('POST', '/dags', { name: 'early', spec: early });
  await server.call('POST', '/dags', { name: 'often', spec: early.replace('30 4', '*/20 5') });
  await server.call('POST', '/dags', { name: longName, spec: early.replace('30 4', '30 7') });
  await startAndWait(server, 'early', 'succeeded');
});

describe('the calendar, statement 34', () => {
  it('shows the occurrences of schedules in a week, hour by hour', async () => {
    const { page } = await pages.openAsAdmin({ path: 'calendar?day=2090-06-07&view=week' });
    const grid = page.getByRole('table', { name: 'Runs and schedules by hour' });
    await grid.waitFor();

    await expect(
      grid
        .getByRole('row', { name: /^04:00|^05:00|^06:00|^07:00/ })
        .getByText('early')
        .count(),
    ).resolves.toBe(7);
    await grid.getByText('×3').first().waitFor();
    await page.getByRole('button', { name: 'Later' }).click();
    await page.waitForURL(/day=2090-06-14/);
  });

  it('keeps an entry with a long name within its day', async () => {
    const { page } = await pages.openAsAdmin({ path: 'calendar?day=2090-06-07&view=week' });
    const cell = page.getByRole('cell').filter({ hasText: longName }).first();
    const day = await cell.boundingBox();
    const entry = await cell.getByRole('link').boundingBox();

    expect((entry?.x ?? Infinity) + (entry?.width ?? 0)).toBeLessThanOrEqual((day?.x ?? 0) + (day?.width ?? 0));
  });

  it('lists the occurrences of a week on a phone, day by day', async () => {
    const { page } = await pages.openAsAdmin({ path: 'calendar?day=2090-06-07&view=week', width: 390 });
    await page.getByRole('heading', { level: 2 }).first().waitFor();

    await expect(page.getByText('early', { exact: true }).count()).resolves.toBe(7);
    await expect(page.getByText('early', { exact: true }).first().isVisible()).resolves.toBe(true);
    await expect(page.evaluate(() => document.documentElement.scrollWidth)).resolves.toBe(390);
  });

  it('shows the runs of today with their statuses, each a link', async () => {
    const { page } = await pages.openAsAdmin({ path: 'calendar?view=day' });
    await page.getByRole('link', { name: /^Succeeded early/ }).click();

    await page.waitForURL(/dag-runs\/early\//);
  });

  it('links from an occurrence to its schedule', async () => {
    const { page } = await pages.openAsAdmin({ path: 'calendar?day=2090-06-07&view=day' });
    await page.getByRole('link', { name: /early due/ }).click();

    await page.waitForURL(/dags\/early\?tab=schedule/);
  });

  it('states when nothing runs', async () => {
    const { page } = await pages.openAsAdmin({ path: 'calendar?day=1999-01-01&view=day' });

    await page.getByRole('heading', { name: 'Nothing runs in these days' }).waitFor();
  });
});

it('keeps business calendars, with the holidays of a file, and shows the days of a year', async () => {
  const { page, complaints } = await pages.openAsAdmin({ path: 'calendar' });
  await page.getByRole('link', { name: 'Business calendars' }).click();
  await page.getByRole('button', { name: 'Add a calendar' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name', { exact: true }).fill('bank-de');
  await dialog.getByLabel('Holidays', { exact: true }).fill('25.12.2026');
  await dialog.getByText('Line 1 does not begin with a date').waitFor();
  const year = new Date().getUTCFullYear();
  await dialog.getByLabel('Holidays', { exact: true }).fill(`${year}-12-25 Christmas Day`);
  const text = [
    'BEGIN:VCALENDAR',
    'BEGIN:VEVENT',
    'SUMMARY:New Year',
    `DTSTART;VALUE=DATE:${year}0101`,
    'END:VEVENT',
    'END:VCALENDAR',
  ];
  const file = { name: 'holidays.ics', mimeType: 'text/calendar', buffer: Buffer.from(text.join('\r\n')) };
  await dialog.locator('input[type=file]').setInputFiles(file);
  await page.getByText('1 holiday was added, none left out.').waitFor();
  await expect(dialog.getByLabel('Holidays', { exact: true }).inputValue()).resolves.toBe(
    `${year}-01-01 New Year\n${year}-12-25 Christmas Day`,
  );
  await dialog.getByRole('button', { name: 'Add a calendar' }).click();
  await page.getByText('The calendar bank-de was added.').waitFor();

  await page
    .getByRole('row', { name: /bank-de/ })
    .getByRole('button', { name: 'Actions of bank-de' })
    .click();
  await page.getByRole('menuitem', { name: 'Show a year' }).click();
  await page
    .getByRole('dialog', { name: `bank-de in ${year}` })
    .getByText('Christmas Day')
    .waitFor();
  expect(complaints).toEqual([]);
});
