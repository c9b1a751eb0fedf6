import { waitFor } from '@weir/test-kit';
import type { Page } from 'playwright-core';
import { usePages } from './support/use-pages';

const spec = `type: graph
steps:
  - id: talk
    run: |
      printf 'plain \\033[31mred\\033[0m see https://example.com/docs.\\n'
      echo '{"level":"error","msg":"no space left","disk":"/data"}'
      echo 'a warning' >&2
  - id: hostile
    run: |
      printf '\\033]0;title\\007<img src=x onerror=alert(1)> \\342\\200\\256evil \\000 end\\n'
      for i in $(seq 1 3000); do printf '\\033[1m\\033[3%dm%d' $((i % 8)) $i; done; echo
      head -c 10000000 /dev/zero | tr '\\0' 'x'; echo
      echo after
  - id: many
    run: seq 1 4000000 | sed 's/$/ the quick brown fox jumps over the lazy dog/'
  - id: ticking
    run: i=0; while true; do i=$((i+1)); echo "tick $i"; sleep 0.05; done
`;

const pages = usePages();

beforeAll(async () => {
  const server = pages.server();
  await server.setUp();
  await server.call('POST', '/dags', { name: 'talker', spec });
  await server.call('POST', '/dags/talker/start', {});
  await waitFor(
    async () => {
      const answer = await server.call('GET', '/dag-runs/talker/latest');
      const { dagRunDetails } = (await answer.json()) as {
        dagRunDetails?: { nodes: { step: { name: string }; statusLabel: string }[] };
      };
      const ended = dagRunDetails?.nodes.filter(({ statusLabel }) => statusLabel === 'succeeded') ?? [];
      return ended.length === 3;
    },
    { deadlineMs: 90_000, what: 'three steps to end' },
  );
});

const openLog = async (step: string, more = '') => {
  const opened = await pages.openAsAdmin({ path: `dag-runs/talker/latest/log?step=${step}${more}` });
  await opened.page.getByRole('log').waitFor();
  return opened;
};
const line = (page: Page, number: number) => page.locator(`[role="log"] [data-line="${number}"]`);

it('distinguishes both outputs, with colours, links and readable JSON (statement 10)', async () => {
  const { page, complaints } = await openLog('talk');
  const log = page.getByRole('log');
  await log.getByText('a warning').waitFor();

  const red = await log.getByText('red', { exact: true }).evaluate((text) => getComputedStyle(text).color);
  const plain = await log.getByText('plain').evaluate((text) => getComputedStyle(text).color);
  expect(red).not.toBe(plain);
  expect(await log.getByRole('link', { name: 'https://example.com/docs' }).getAttribute('rel')).toContain('noopener');
  await log.getByText('no space left').waitFor();
  expect(await log.getByText('"level"').count()).toBe(0);
  expect(await page.locator('[data-stream="err"]').count()).toBe(1);

  await page.getByRole('radio', { name: 'stderr' }).click();
  await page.waitForURL(/stream=stderr/);
  await log.getByText('a warning').waitFor();
  expect(await log.locator('[data-line]').count()).toBe(1);

  await page.getByRole('button', { name: 'View' }).click();
  await page.getByRole('menuitemradio', { name: 'Time of day' }).click();
  await page.keyboard.press('Escape');
  expect(await page.locator('[data-time]').first().getAttribute('data-time')).toMatch(/^\d\d:\d\d:\d\d\.\d{3}$/);
  expect(complaints).toEqual([]);
});

it('opens a log of 200 MB, jumps to any line and searches all of it (statement 8)', async () => {
  const { page, complaints } = await openLog('many');
  await line(page, 1).getByText('1 the quick').waitFor();

  await page.getByRole('textbox', { name: 'Go to line' }).fill('3000000');
  await page.keyboard.press('Enter');
  await line(page, 3_000_000).getByText('3000000 the quick').waitFor();

  await page.keyboard.press('Control+f');
  await page.getByRole('searchbox', { name: 'Find in the log' }).fill('3999999 THE');
  await page.getByText('1 of 1').waitFor({ timeout: 60_000 });
  await line(page, 3_999_999).getByText('3999999 the').waitFor();
  expect(await line(page, 3_999_999).locator('mark').textContent()).toBe('3999999 the');

  await page.getByRole('searchbox', { name: 'Find in the log' }).fill('99999 the');
  await page.getByRole('button', { name: 'Only matches' }).click();
  await page.getByText('40 matching lines').waitFor({ timeout: 60_000 });
  expect(await page.locator('[data-line]').count()).toBeLessThan(300);
  expect(complaints).toEqual([]);
});

it('keeps the selected lines in the address, for others to open (statement 9)', async () => {
  const { page } = await openLog('many');
  await line(page, 5).locator('[data-number]').click();
  await line(page, 7)
    .locator('[data-number]')
    .click({ modifiers: ['Shift'] });
  await page.waitForURL(/#L5-L7$/);

  const other = await openLog('many', '#L2000000-L2000002');
  await other.page.getByText('Lines 2,000,000 to 2,000,002').waitFor();
  await line(other.page, 2_000_001).getByText('2000001 the').waitFor();
  expect(await line(other.page, 2_000_001).evaluate((row) => row.getBoundingClientRect().top)).toBeGreaterThan(0);
});

it('copies lines without their numbers', async () => {
  const { page } = await openLog('many', '#L3-L4');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Copy', exact: true }).click();
  await page.getByText('Copied').waitFor();

  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    '3 the quick brown fox jumps over the lazy dog\n4 the quick brown fox jumps over the lazy dog',
  );
});

it('follows a running step, stops on scrolling up, and resumes with one key (statement 7)', async () => {
  const { page } = await openLog('ticking');
  await page.getByRole('button', { name: 'Following' }).waitFor();
  const lastInView = () =>
    page.getByRole('log').evaluate((pane) => {
      const { bottom } = pane.getBoundingClientRect();
      const rows = [...pane.querySelectorAll<HTMLElement>('[data-line]')];
      return Number(rows.findLast((row) => row.getBoundingClientRect().bottom <= bottom + 1)?.dataset.line);
    });
  const first = await lastInView();
  await waitFor(async () => (await lastInView()) > first + 60, { deadlineMs: 20_000, what: 'new lines' });

  await page.getByRole('log').hover();
  await page.mouse.wheel(0, -400);
  await page.getByRole('button', { name: 'Follow', exact: true }).waitFor();
  const still = await lastInView();
  await page.getByRole('button', { name: /\d+ new lines/ }).waitFor();
  expect(await lastInView()).toBe(still);

  await page.keyboard.press('f');
  await page.getByRole('button', { name: 'Following' }).waitFor();
  await waitFor(async () => (await lastInView()) > still + 20, { deadlineMs: 20_000, what: 'the newest lines' });
});

it('stays harmless and small for any output', async () => {
  const { page, complaints } = await openLog('hostile');
  const log = page.getByRole('log');
  await log.getByText('after').waitFor();

  expect(await log.locator('img, script').count()).toBe(0);
  expect(await log.textContent()).toContain('<img src=x onerror=alert(1)> [U+202E]evil ^@ end');
  expect(await log.locator('span').count()).toBeLessThan(800);
  expect((await log.textContent())?.length).toBeLessThan(30_000);
  await log
    .getByRole('button', { name: /more characters/ })
    .last()
    .click();
  await log.getByText('the rest of this line is in the download').waitFor();
  expect(complaints).toEqual([]);
});

it('leaves Ctrl-F to the browser on the second press', async () => {
  const { page } = await openLog('talk');
  await page.keyboard.press('Control+f');
  const field = page.getByRole('searchbox', { name: 'Find in the log' });
  await field.waitFor();
  const isPrevented = await field.evaluate((input) => {
    const event = new KeyboardEvent('keydown', { key: 'f', ctrlKey: true, bubbles: true, cancelable: true });
    input.dispatchEvent(event);
    return event.defaultPrevented;
  });
  expect(isPrevented).toBe(false);
  await page.keyboard.press('Escape');
  await field.waitFor({ state: 'detached' });
});

describe('the log of a step with retries', () => {
  const retried = `steps:
  - id: fetch
    run: |
      printf x >> tries; echo "asking for page $(wc -c < tries)"
      echo 'no answer' >&2; test $(wc -c < tries) -gt 2
    retry_policy: {limit: 2, interval_sec: 0}
`;
  const dividers = (page: Page) =>
    page
      .locator('[role="log"] [data-attempt]')
      .evaluateAll((rows) => rows.map((row) => [row.dataset.attempt, row.textContent]));

  beforeAll(async () => {
    const server = pages.server();
    await server.call('POST', '/dags', { name: 'retried', spec: retried });
    await server.call('POST', '/dags/retried/start', { dagRunId: 'one' });
    const isDone = async () =>
      (await (await server.call('GET', '/dag-runs/retried/one')).text()).includes('"succeeded"');
    await waitFor(isDone, { deadlineMs: 30_000, what: 'the run to end' });
  });

  it.each([
    ['on its own page', 'dag-runs/retried/one/log?step=fetch'],
    ['on the page of the run', 'dag-runs/retried/one?tab=log&step=fetch'],
  ])('has a line between the attempts, and shows one of them alone, %s', async (_name, path) => {
    const { page, complaints } = await pages.openAsAdmin({ path });
    const log = page.getByRole('log');
    await log.getByText('asking for page 3').waitFor();

    expect(await dividers(page)).toEqual([
      ['Attempt 1', 'asking for page 1'],
      ['Attempt 2', 'asking for page 2'],
      ['Attempt 3', 'asking for page 3'],
    ]);

    await page.getByRole('button', { name: /All attempts Attempt/ }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('option', { name: 'Attempt 2' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(/attempt=2/);
    await log.getByText('asking for page 2').waitFor();
    expect(await log.locator('[data-line]').allTextContents()).toEqual(['asking for page 2', 'no answer']);

    await page.reload();
    await log.getByText('asking for page 2').waitFor();
    expect(complaints).toEqual([]);
  });
});
