import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { seedDistilled, seedSessions, startSession, user, type SeededViewer } from './support/seed-sessions';
import { adminKey } from './support/start-viewer';
import { useViewer } from './support/use-viewer';

const maxFirstLoadBytes = 250 * 1024;

const pages = useViewer();
let seeded: SeededViewer;

beforeAll(async () => {
  seeded = await seedSessions(pages.viewer());
});

/** The page of the branching session. */
const openBranched = (search = '') => pages.openAsReader(`sessions/${seeded.branched.id}${search}`);

describe('sessions, live, as trees with rewards and versions (statement 58)', () => {
  it('appear, grow and receive rewards without a reload', async () => {
    const { page, complaints } = await pages.openAsReader();
    await page.getByRole('row', { name: /weather-agent-0/ }).waitFor();

    const session = await startSession(pages.viewer(), 'appears');
    const row = page.getByRole('row', { name: /appears-0/ });
    await row.getByText('Active').waitFor();
    await session.ask([user('Hello')], 'Hi.');
    await session.reward(0.75);
    await row.getByText('0.75').waitFor();
    await session.end();
    await row.getByText('Ended').waitFor();
    expect(complaints).toEqual([]);
  });

  it('show branches, own and discounted rewards, and versions, and grow while they are viewed', async () => {
    const { page } = await openBranched();
    const tree = page.getByRole('listbox', { name: 'Interactions, earliest first' });
    const rowOf = (text: string) => tree.getByRole('option').filter({ hasText: text });
    await rowOf('Yes, in the afternoon.').getByText('1.25').waitFor();
    await rowOf('Yes, in the afternoon.').getByText('v0 v1').waitFor();
    await rowOf('No, Berlin stays dry.').getByText('0.25 own').waitFor();
    expect(await tree.getByRole('option').count()).toBe(4);

    await seeded.branched.ask([...seeded.first.messages, user('Anything else?')], 'Take an umbrella.');
    await rowOf('Take an umbrella.').waitFor();
    await rowOf('No, Berlin stays dry.').click();
    await page.getByRole('tabpanel', { name: 'Messages' }).getByText('And in Berlin?').waitFor();
    expect(page.url()).toContain('call=');
  });

  it('name the adapter whose versions they have', async () => {
    const adapter = { name: 'sheep-lora', path: '/adapters/sheep' };
    const session = await startSession(pages.viewer(), 'adapted', { adapter });
    await session.ask([user('Hello')], 'Baa.');
    const { page } = await pages.openAsReader();
    await page
      .getByRole('row', { name: /adapted-0/ })
      .getByText('sheep-lora v0')
      .waitFor();
    await page.getByRole('link', { name: 'adapted-0' }).click();
    await page.getByText('sheep-lora v0').waitFor();
  });

  it('are found by task, by state, and by their text', async () => {
    const { page } = await pages.openAsReader();
    await page.getByRole('button', { name: 'Group by task' }).click();
    await page.getByRole('row', { name: /sheep/ }).getByText('-0.5 … 1').waitFor();
    await page.getByRole('link', { name: 'Search' }).click();
    await page.getByRole('searchbox').fill('EIGHT OF TEN');
    await page.getByRole('link', { name: /eight of ten/ }).click();
    await page.getByRole('tabpanel', { name: 'Messages' }).getByText('How sure are you?').waitFor();
  });
});

describe('every token with its probability, mask and version, and why it is trained or not (statement 59)', () => {
  const inspector = (page: Page) => page.getByRole('tabpanel', { name: 'Tokens' }).getByRole('status');

  it('shows the details of the least probable token, and that its row trains it', async () => {
    const { page } = await openBranched('?pane=tokens');
    await page.getByRole('button', { name: 'Least probable' }).click();
    await inspector(page)
      .getByText(/^1\. least probable of \d+$/)
      .waitFor();
    expect(await inspector(page).innerText()).toMatch(/bytes\s+[0-9a-f]{2}/);
    expect(page.url()).toMatch(/at=\d+/);
  });

  it('explains for a token of the template, and of an earlier answer, why this row does not train it', async () => {
    const { page } = await openBranched('?pane=tokens');
    const strip = page.getByRole('group', { name: 'Tokens', exact: true });
    await strip.focus();
    await page.keyboard.press('Home');
    await inspector(page).getByText('not trained: rendered by the template').waitFor();
    // The first one belongs to the system message.
    await strip.getByText('Y', { exact: true }).nth(1).click();
    await inspector(page)
      .getByText(/an earlier call sampled it/)
      .waitFor();
  });

  it('colours by version, and jumps to changes of the version', async () => {
    const { page } = await openBranched('?pane=tokens&colour=version');
    const legend = page.getByRole('group', { name: 'Legend' });
    await legend.getByText('v1').waitFor();
    await page.getByRole('button', { name: 'Next version' }).click();
    await inspector(page).getByText('trained', { exact: false }).first().waitFor();
    expect(page.url()).toMatch(/at=\d+/);
  });

  it('shows what else could have been sampled to somebody who points, walks or taps', async () => {
    const { id } = await seedDistilled(pages.viewer());
    const { page } = await pages.openAsReader(`sessions/${id}?pane=tokens`);
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/alternatives')) asked.push(request.url());
    });
    const strip = page.getByRole('group', { name: 'Tokens', exact: true });
    const likeliest = page.getByRole('region', { name: 'Likeliest tokens at this position' });
    await likeliest.getByText('appears here').waitFor();
    await strip.getByText('9', { exact: true }).last().hover();
    const sampled = likeliest.getByRole('row').filter({ hasText: 'sampled' });
    await sampled.getByText('%').waitFor();
    expect(await likeliest.getByRole('columnheader').allInnerTexts()).toEqual([
      'Rank',
      'Token',
      'p',
      'logprob',
      'teacher',
      'id',
    ]);
    await page.mouse.move(0, 0);
    await strip.focus();
    await page.keyboard.press('End');
    await inspector(page).getByText('teacher').waitFor();
    await inspector(page).getByText('entropy').waitFor();
    await strip.getByText('Y', { exact: true }).click();
    await likeliest.getByRole('row').filter({ hasText: 'sampled' }).getByText('Y', { exact: true }).waitFor();
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.length).toBeLessThanOrEqual(2);

    await page.getByRole('button', { name: 'Colour by' }).click();
    await page.getByRole('option', { name: 'Difference to teacher' }).click();
    await page.getByRole('group', { name: 'Legend' }).getByText('≥ 4').waitFor();
    expect(page.url()).toContain('colour=score');
  });

  it('keeps what is known of a token in sight on a phone, beside a long answer', async () => {
    const session = await startSession(pages.viewer(), 'tall', { record: { top_logprobs: 2 } });
    await session.ask([user('Count')], 'a line of text\n'.repeat(300));
    const { page } = await pages.openAsReader(`sessions/${session.id}?pane=tokens`, { width: 390 });
    await page.getByRole('group', { name: 'Tokens', exact: true }).getByText('x', { exact: true }).nth(3).click();
    await page.getByRole('row').filter({ hasText: 'sampled' }).waitFor();
    const box = await page.getByRole('region', { name: 'Likeliest tokens at this position' }).boundingBox();
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(page.viewportSize()?.height ?? 0);
  });

  it('asks for no other tokens where none are recorded', async () => {
    const { page } = await openBranched('?pane=tokens');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.getByRole('button', { name: 'Least probable' }).click();
    await inspector(page)
      .getByText(/least probable of/)
      .waitFor();
    expect(asked.filter((url) => url.includes('/alternatives'))).toEqual([]);
    await expect(page.getByRole('region', { name: 'Likeliest tokens at this position' }).count()).resolves.toBe(0);
  });

  it('shows 131,072 tokens as text that the browser can search', async () => {
    const session = await startSession(pages.viewer(), 'long');
    await session.ask([user('Count')], `${'a line of text\n'.repeat(8737)}needle at the end`);
    const { page } = await pages.openAsReader(`sessions/${session.id}?pane=tokens`);
    await page.getByText(/131,\d\d\d tokens/).waitFor();

    const strip = page.getByRole('group', { name: 'Tokens', exact: true });
    expect(await strip.evaluate((element) => element.textContent.includes('needle at the end'))).toBe(true);
    const spans = await strip.evaluate((element) => element.querySelectorAll('span').length);
    expect(spans).toBeLessThan(10_000);
    await strip.focus();
    await page.keyboard.press('End');
    await inspector(page)
      .getByText(/Token 131,\d\d\d of 131,\d\d\d/)
      .waitFor();
  });
});

describe('samples of a group, another discount, and exactly the rows shown (statement 60)', () => {
  it('compares the tokens of two samples from their fork', async () => {
    const { page } = await pages.openAsReader('tasks/sheep');
    await page
      .getByRole('row', { name: /sheep-0/ })
      .getByText('+', { exact: false })
      .waitFor();
    await page.getByRole('button', { name: 'Compare sheep-0' }).click();
    await page.getByRole('button', { name: 'Compare sheep-1' }).click();
    await page.getByRole('button', { name: 'Compare the two' }).click();

    await page.getByText(/^\d+ equal tokens from the beginning/).waitFor();
    await page.getByRole('group', { name: 'sheep-1' }).getByText('7').first().waitFor();
    const turns = page.getByRole('grid', { name: 'Turns of both' });
    const only = turns.getByRole('row', { name: '1', exact: true });
    await only.getByText(/^A.*≠1.*token \d+, sampled$/).waitFor();
    await only.getByText('stop').first().waitFor();
  });

  it('aligns two paths of one session by their turns', async () => {
    const { page } = await openBranched();
    const { id } = seeded.branched;
    await page.goto(`${pages.viewer().url}/ui/compare?a=${id}&b=${id}&callA=${seeded.first.id}`);
    const turns = page.getByRole('grid', { name: 'Turns of both' });
    await turns.getByRole('row', { name: '1', exact: true }).getByText('equal').waitFor();
    const last = turns.getByRole('row').last();
    await last.getByText('no such turn').waitFor();
    await last.getByRole('link', { name: /tokens$/ }).click();

    await page.getByText('You are welcome.').first().waitFor();
  });

  it('shows rewards by another discount, and saves the displayed rows, while the session continues', async () => {
    const { page } = await openBranched('?view=rows&style=concat&discount=0.5');
    const rows = page.getByRole('listbox', { name: 'Training rows' });
    await rows.getByRole('option').first().waitFor();
    const shown = await rows.getByRole('option').allInnerTexts();

    await page.getByRole('button', { name: 'Export' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'JSON', exact: true }).click(),
    ]);
    const saved = JSON.parse(readFileSync(await download.path(), 'utf8')) as Exported;
    const trained = Object.values(saved.interactions).map(countTrained);
    expect(trained.map((row) => `${row.trained} of ${row.tokens} tokens trained`)).toEqual(
      shown.map((text) => /\d+ of \d+ tokens trained/.exec(text)?.[0]),
    );
    const body = { session_id: seeded.branched.id, style: 'concat', discount: 0.5, wait_seconds: 0 };
    await expect(pages.viewer().call('/export_trajectories', body)).rejects.toThrow('session_not_ended');

    await seeded.branched.end();
    const exported = (await pages.viewer().call('/export_trajectories', body)) as unknown as Exported;
    expect(saved.interactions).toEqual(exported.interactions);
  });

  it('saves a static page of the session, and JSON lines', async () => {
    const { page } = await openBranched();
    await page.getByRole('button', { name: 'Export' }).click();
    const save = async (name: string): Promise<string> => {
      const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name }).click()]);
      return readFileSync(await download.path(), 'utf8');
    };
    const html = await save('HTML page of the session');
    expect(html).toContain('Will it rain in Munich tomorrow?');
    expect(html).not.toContain('<script');
    const lines = (await save('JSONL, one row a line')).trimEnd().split('\n');
    expect(lines.length).toBeGreaterThan(3);
    for (const line of lines) expect(JSON.parse(line)).toHaveProperty('tensor_dict');
  });
});

describe('the viewer', () => {
  it('supports signing in with the admin key, and signing out', async () => {
    const { page, complaints } = await pages.open('status');
    await page.getByLabel('Key').fill('not the key of this proxy');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').getByText('The key is not known.').waitFor();
    await page.getByLabel('Key').fill(adminKey);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Weights and capacity' }).waitFor();
    const [cookie] = await page.context().cookies();
    expect(cookie).toMatchObject({ name: 'weir_rollout_session', httpOnly: true, sameSite: 'Strict' });
    expect(JSON.stringify(cookie)).not.toContain(adminKey);
    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByLabel('Key').waitFor();
    expect(complaints).toEqual([]);
  });

  it('asks for the key again after a session has ended, and keeps the page below', async () => {
    const { page } = await openBranched('?pane=raw');
    await page.getByText('Provenance').waitFor();
    await page.context().clearCookies();
    await page.getByRole('tab', { name: 'Training rows' }).click();
    await page.getByRole('dialog').getByLabel('Key').fill(adminKey);
    await page.getByRole('dialog').getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('option', { name: 'Row 1' }).waitFor();
  });

  it('is loaded only from the proxy, in few bytes', async () => {
    const { page } = await pages.openAsReader('no-screen-of-its-own');
    const addresses: string[] = [];
    page.on('request', (request) => addresses.push(request.url()));
    await page.goto(`${pages.viewer().url}/`, { waitUntil: 'load' });
    await page.getByRole('heading', { name: 'Sessions' }).waitFor();
    expect(page.url()).toBe(`${pages.viewer().url}/ui/`);
    const files = [...new Set(addresses)].filter((address) => address.includes('/ui/'));
    expect(addresses.filter((address) => !address.startsWith(`${pages.viewer().url}/`))).toEqual([]);
    const bodies = await Promise.all(files.map(async (file) => (await fetch(file)).arrayBuffer()));
    const bytes = bodies.reduce((sum, body) => sum + gzipSync(new Uint8Array(body)).length, 0);
    expect(bytes).toBeLessThanOrEqual(maxFirstLoadBytes);
  });
});

interface Exported {
  readonly interactions: Readonly<
    Record<string, { readonly tensor_dict: { readonly loss_mask: { readonly data: string } } }>
  >;
}

function countTrained({ tensor_dict: { loss_mask: mask } }: Exported['interactions'][string]) {
  const bytes = Buffer.from(mask.data, 'base64');
  const values = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
  return { tokens: values.length, trained: values.reduce((sum, value) => sum + value, 0) };
}
