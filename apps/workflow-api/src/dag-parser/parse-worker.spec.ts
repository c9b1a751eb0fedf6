import { setImmediate as nextTurn } from 'node:timers/promises';
import path from 'node:path';
import { temporaryFolder, type TemporaryFolder } from '@weir/test-kit';
import { parseDag } from '@weir/workflow-spec';
import { build } from 'esbuild';
import type { DagParsers } from './dag-parser';
import { createPooledParser } from './pooled-parser';

let folder: TemporaryFolder;
let parsers: DagParsers;

beforeAll(async () => {
  folder = temporaryFolder();
  const workerFile = folder.file('parse-worker.js');
  await build({
    entryPoints: [path.join(__dirname, 'parse-worker.ts')],
    outfile: workerFile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    conditions: ['@weir/source'],
  });
  parsers = createPooledParser({ workerFile });
}, 60_000);
afterAll(async () => {
  await parsers.stop();
  await folder.remove();
});

const manySteps = `steps:\n${Array.from({ length: 10_000 }, (_, index) => `- {name: step-${index}, run: "echo ${'x'.repeat(55)}", env: [A=b]}\n`).join('')}`;

/** The longest delay of a 5 ms timer while the action ran. */
async function longestGap<T>(action: () => Promise<T>): Promise<{ readonly result: T; readonly gapMs: number }> {
  let last = performance.now();
  let gapMs = 0;
  const note = (): void => {
    const now = performance.now();
    gapMs = Math.max(gapMs, now - last);
    last = now;
  };
  const timer = setInterval(note, 5);
  try {
    const result = await action();
    await nextTurn();
    note();
    return { result, gapMs };
  } finally {
    clearInterval(timer);
  }
}

describe('the parse worker', () => {
  it('gives what the parser itself gives', async () => {
    const text = `description: "${'x'.repeat(20_000)}"\nsteps: [{name: a, run: echo, depends: b}]`;

    await expect(parsers.forRequests.parse(text, { name: 'big' })).resolves.toEqual(parseDag(text, { name: 'big' }));
  });

  it('reads with the base configurations of each call, and keeps their results apart', async () => {
    const text = `description: "${'x'.repeat(20_000)}"\nsteps: [{name: a, run: echo}]`;
    const queueWith = async (base: string) => {
      const { dag } = await parsers.forServer.parse(text, { bases: [{ label: 'base.yaml', text: base }] });
      return dag.queue;
    };

    await expect(queueWith('queue: first')).resolves.toBe('first');
    await expect(queueWith('queue: second')).resolves.toBe('second');
    await expect(queueWith('queue: first')).resolves.toBe('first');
  });

  it('leaves the event loop free while it parses a text of about 1 MB', async () => {
    expect(manySteps.length).toBeGreaterThan(900_000);
    const start = performance.now();
    expect(parseDag(manySteps).dag.steps).toHaveLength(10_000);
    const parseMs = performance.now() - start;

    const { result, gapMs } = await longestGap(() => parsers.forRequests.parse(manySteps, { name: 'many' }));

    expect(result.dag.steps).toHaveLength(10_000);
    // What remains is the transfer of the result.
    expect(gapMs).toBeLessThan(parseMs / 2);
  }, 60_000);

  it('gives the same text again at once', async () => {
    const first = await parsers.forRequests.parse(manySteps, { name: 'many' });

    await expect(parsers.forRequests.parse(manySteps, { name: 'many' })).resolves.toBe(first);
  }, 60_000);
});
