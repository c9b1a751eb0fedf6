import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { clickTasks } from './support/click-tasks';
import { createCountedHand } from './support/counted-hand';
import { endless, failing } from './support/run-specs';
import { startAndWait } from './support/seed-runs';
import { usePages } from './support/use-pages';

const pages = usePages({ WEIR_SKIP_EXAMPLES: 'true' });

const specs = {
  plain: 'steps:\n  - { id: greet, run: echo hello }\n',
  typed: 'params:\n  - { name: DAY, default: monday }\nsteps:\n  - { id: load, run: echo "of $DAY" }\n',
  orders: failing,
  stock: 'steps:\n  - { id: count, run: exit 4 }\n',
  endless,
  nightly: 'schedule: "0 2 * * *"\nsteps:\n  - { id: load, run: echo loaded }\n',
  release: 'steps:\n  - { id: confirm, run: echo built, approval: { prompt: Release it? } }\n',
};

beforeAll(async () => {
  const server = pages.server();
  await server.setUp();
  for (const [name, spec] of Object.entries(specs)) await server.call('POST', '/dags', { name, spec });
  await startAndWait(server, 'orders', 'failed');
  await startAndWait(server, 'stock', 'failed');
  await startAndWait(server, 'endless', 'running');
  await startAndWait(server, 'release', 'waiting');
});

const counts = new Map<string, number>();

describe('the clicks and keys of the ten most frequent tasks', () => {
  it.each(clickTasks)('to $name are at most $most', async ({ name, path: begin, most, perform }) => {
    const { page, complaints } = await pages.openAsAdmin({ path: begin });
    await page.getByRole('heading', { level: 1 }).waitFor();
    const hand = createCountedHand(page);
    await perform(hand);
    counts.set(name, hand.count());

    expect(hand.count()).toBeLessThanOrEqual(most);
    expect(complaints).toEqual([]);
  });

  it('are those in docs/specs/interface/clicks.md', () => {
    const file = path.resolve(__dirname, '../../../docs/specs/interface/clicks.md');
    const [begin, end] = ['<!-- clicks:begin -->', '<!-- clicks:end -->'];
    const text = readFileSync(file, 'utf8');
    const [head = '', rest = ''] = text.split(begin);
    const [, tail = ''] = rest.split(end);
    const wanted = `${head}${begin}\n\n${clickTable()}\n\n${end}${tail}`;
    if (process.env.WEIR_UPDATE_DOCS === '1') writeFileSync(file, wanted);

    expect(readFileSync(file, 'utf8')).toBe(wanted);
  });
});

function clickTable(): string {
  const rows = clickTasks.map(({ name, begins, peers }) => {
    const count = counts.get(name) ?? 'not done';
    return `| ${name} | ${begins} | ${count} | ${peers.dagu} | ${peers.airflow} | ${peers.kestra} |`;
  });
  const head = '| Task | Begins at | Weir | Dagu | Airflow 3 | Kestra |';
  return [head, '| --- | --- | --- | --- | --- | --- |', ...rows].join('\n');
}
