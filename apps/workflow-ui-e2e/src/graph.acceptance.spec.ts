import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterTwoFrames } from './support/focus';
import { startAndWait } from './support/seed-runs';
import { usePages } from './support/use-pages';

const pages = usePages();

/** Nine lanes, of which each step also depends on one of a neighbour; then 60 steps alike and their end. */
function manySteps(count: number): string {
  const lanes = Array.from({ length: count - 62 }, (_, index) => {
    const depends = index < 9 ? '' : `s_${index - 9}, s_${index - 4 - (index % 3)}`;
    return `  - {id: s_${index}, run: echo ${index}, depends: [${depends}]}\n`;
  });
  const parts = Array.from({ length: 60 }, (_, index) => `part_${index}`);
  const alike = parts.map((name) => `  - {id: ${name}, run: echo, depends: [split]}\n`);
  return `type: graph\nsteps:\n${lanes.join('')}  - {id: split, run: echo, depends: [s_5]}\n${alike.join('')}  - {id: join, run: echo, depends: [${parts.join(', ')}]}\n`;
}

const halfway = `type: graph
steps:
  - {id: fetch, run: echo}
  - {id: clean, run: echo, depends: [fetch]}
  - {id: load, run: exit 1, depends: [clean]}
  - {id: report, run: echo, depends: [load]}
`;

/** Six ranks, which fit into the pane of a run from top to bottom only. */
const chain = `type: graph
steps:
  - {id: extract, run: echo}
${['clean', 'join', 'train', 'check', 'publish'].map((id, at) => `  - {id: ${id}, run: echo, depends: [${['extract', 'clean', 'join', 'train', 'check'][at] ?? ''}]}`).join('\n')}
`;

beforeAll(async () => {
  const server = pages.server();
  await server.setUp();
  for (const [name, spec] of Object.entries({ large: manySteps(1000), huge: manySteps(5000), halfway, chain }))
    await server.call('POST', '/dags', { name, spec });
  await startAndWait(server, 'halfway', 'failed');
  await startAndWait(server, 'chain', 'succeeded');
});

async function openGraph(path: string): Promise<Page> {
  const { page } = await pages.openAsAdmin({ path });
  await page.getByRole('application').waitFor();
  return page;
}

const node = (page: Page, name: string) => page.locator(`[data-step="${name}"]`);

describe('a graph of 1,000 steps, statement 28', () => {
  it('folds similar steps, and unfolds them', async () => {
    const page = await openGraph('dags/large?tab=graph');
    await node(page, 'part_0').getByText(/×60/).click();
    await page.getByRole('button', { name: 'Fold' }).click();
    await node(page, 'part_0').getByText(/×60/).waitFor();
  });

  it('keeps the position set by a button when the window changes', async () => {
    const page = await openGraph('dags/large?tab=graph');
    const view = page.locator('.react-flow__viewport');
    const before = await view.getAttribute('style');
    await page.getByRole('button', { name: 'Show all' }).click();
    await page.waitForFunction(
      (style) => document.querySelector('.react-flow__viewport')?.getAttribute('style') !== style,
      before,
    );
    const shown = await view.getAttribute('style');
    await page.setViewportSize({ width: 1000, height: 700 });
    await page.evaluate(afterTwoFrames);

    expect(await view.getAttribute('style')).toBe(shown);
  });

  it('finds a step by its name and moves to it', async () => {
    const page = await openGraph('dags/large?tab=graph');
    await page.getByLabel('Find a step').fill('s_777');
    await page.keyboard.press('Enter');

    await page.getByRole('heading', { name: 's_777' }).waitFor();
    await page.locator('[data-step="s_777"]:visible').waitFor();
    expect(page.url()).toContain('step=s_777');
  });

  it('shows only what is upstream of a step', async () => {
    const page = await openGraph('dags/large?tab=graph&step=s_20');
    await page.getByRole('button', { name: /^All steps/ }).click();
    await page.getByRole('option', { name: 'Upstream of s_20' }).click();

    await page.getByText('of 1,000').waitFor();
    await node(page, 's_20').waitFor();
    await expect(node(page, 's_30').count()).resolves.toBe(0);
  });

  it('hides completed steps', async () => {
    const page = await openGraph('dags/halfway?tab=graph&statuses=last');
    await expect(node(page, 'fetch').getAttribute('data-status')).resolves.toBe('succeeded');
    await page.getByRole('button', { name: 'Hide done' }).click();

    await page.getByText('2 steps of 4').waitFor();
    await expect(node(page, 'fetch').count()).resolves.toBe(0);
    await expect(node(page, 'load').getAttribute('data-status')).resolves.toBe('failed');
  });

  it('is navigated by the arrow keys, and announces the position', async () => {
    const page = await openGraph('dags/halfway?tab=graph&step=clean');
    await node(page, 'clean').waitFor();
    await page.getByRole('application').focus();
    // Beside the selected step there is room for it from top to bottom.
    await page.keyboard.press('ArrowDown');

    await page.getByText(/^load, .*depends on 1 step, 1 step follows$/).waitFor({ state: 'attached' });
    expect(page.url()).toContain('step=load');
  });
});

describe('the graph of a finished run', () => {
  it.each([
    ['a desktop', 1280],
    ['a phone', 390],
  ])('opens completely visible in a readable size, on %s', async (_, width) => {
    const { page } = await pages.openAsAdmin({ path: 'dag-runs/chain/latest?view=graph', width });
    await node(page, 'publish').waitFor();
    await page.evaluate(afterTwoFrames);

    const drawing = await page.getByRole('application').boundingBox();
    const boxes = await Promise.all(
      ['extract', 'clean', 'join', 'train', 'check', 'publish'].map((name) => node(page, name).boundingBox()),
    );
    for (const box of boxes) {
      expect(box?.width).toBeGreaterThan(0.5 * 208);
      expect(box?.x).toBeGreaterThan(drawing?.x ?? Infinity);
      expect(box?.y).toBeGreaterThan(drawing?.y ?? Infinity);
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThan((drawing?.x ?? 0) + (drawing?.width ?? 0));
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan((drawing?.y ?? 0) + (drawing?.height ?? 0));
    }
  });

  it.each([
    ['dag-runs/chain/latest?view=graph', 1280],
    ['dag-runs/chain/latest?view=graph', 1024],
    ['dag-runs/chain/latest?view=graph', 390],
    ['dags/chain?tab=graph&statuses=last&step=join', 1024],
    ['dags/chain?tab=graph&statuses=last', 390],
  ])('has its tools in one row: %s at %d pixels', async (path, width) => {
    const { page } = await pages.openAsAdmin({ path, width });
    const tools = page.getByRole('toolbar', { name: 'Tools of the graph' });
    await tools.getByRole('button', { name: 'Critical path' }).click();
    await page.getByText(/^6 steps, /).waitFor({ state: 'attached' });

    const room = await tools.evaluate(({ clientHeight, clientWidth, scrollWidth }) => ({
      isOneRow: clientHeight < 60,
      isCut: scrollWidth > clientWidth,
    }));
    expect(room).toEqual({ isOneRow: true, isCut: false });
  });

  it('marks the steps on the critical path, and shows how long they took', async () => {
    const page = await openGraph('dag-runs/halfway/latest');
    await node(page, 'load').waitFor();
    await page.getByRole('button', { name: 'Critical path' }).click();
    await page.getByText(/^\d steps?, /).waitFor();

    await expect(node(page, 'load').getAttribute('data-critical')).resolves.toBe('true');
    await expect(node(page, 'report').getAttribute('data-critical')).resolves.toBe('false');
  });

  it('is saved as a picture of either kind, under the strict content security policy', async () => {
    const { page, complaints } = await pages.openAsAdmin({ path: 'dag-runs/halfway/latest' });
    await node(page, 'load').waitFor();
    const save = async (name: string) => {
      await page.getByRole('button', { name: 'Download the graph' }).click();
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('menuitem', { name }).click(),
      ]);
      return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
    };
    const svg = await save('As SVG');
    const png = await save('As PNG');

    expect([svg.name, png.name]).toEqual([
      expect.stringMatching(/^halfway-\w+\.svg$/),
      expect.stringMatching(/^halfway-\w+\.png$/),
    ]);
    const parsed = await page.evaluate((text) => {
      const file = new DOMParser().parseFromString(text, 'image/svg+xml');
      return {
        root: file.documentElement.localName,
        texts: [...file.querySelectorAll('title')].map((one) => one.textContent),
      };
    }, svg.bytes.toString());
    expect(parsed).toEqual({ root: 'svg', texts: ['fetch', 'clean', 'load', 'report'] });
    expect(png.bytes.subarray(1, 4).toString()).toBe('PNG');
    // Two pixels for each of the picture.
    expect(png.bytes.readUInt32BE(16)).toBe(2 * Number(/width="(\d+)"/.exec(svg.bytes.toString())?.[1]));
    expect(complaints).toEqual([]);
  });
});

describe('a graph of 5,000 steps, statement 29', () => {
  it('is one picture with a list, which is redrawn when it is moved', async () => {
    const page = await openGraph('dags/huge?tab=graph');
    const canvas = page.locator('canvas');
    await canvas.waitFor();
    await page.waitForFunction(() => document.querySelector('canvas')?.dataset.drawn === 'true');
    const before = await picture(page);
    const box = await canvas.boundingBox();
    if (box === null) throw new Error('The picture has no place.');
    await page.mouse.move(box.x + 500, box.y + 200);
    await page.mouse.down();
    await page.mouse.move(box.x + 100, box.y + 150, { steps: 10 });
    await page.mouse.up();

    expect(await picture(page)).not.toBe(before);
    await expect(page.locator('main *').count()).resolves.toBeLessThan(400);
  });

  it('names the step under the pointer', async () => {
    const page = await openGraph('dags/huge?tab=graph&step=s_400');
    await page.waitForFunction(() => document.querySelector('canvas')?.dataset.drawn === 'true');
    const canvas = page.locator('canvas');
    const { width, height } = (await canvas.boundingBox()) ?? { width: 0, height: 0 };
    const position = { x: width / 2, y: height / 2 };
    await canvas.hover({ position });
    const name = (await canvas.getAttribute('title')) ?? '';
    await canvas.click({ position });

    expect(name).toMatch(/^s_\d+$/);
    await page.getByRole('heading', { name, exact: true }).waitFor();
  });

  it('moves to the step that is chosen in the list', async () => {
    const page = await openGraph('dags/huge?tab=graph');
    await page.getByRole('listbox', { name: 'Steps' }).focus();
    await page.keyboard.press('End');

    await page.getByRole('heading', { name: 'join' }).waitFor();
    await page.getByRole('option', { name: 'join', selected: true }).waitFor();
  });
});

function picture(page: Page): Promise<string> {
  return page.evaluate(() => document.querySelector('canvas')?.toDataURL() ?? '');
}
