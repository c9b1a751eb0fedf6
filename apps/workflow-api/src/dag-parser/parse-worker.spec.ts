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
  // On a busy machine a large text takes longer than a server allows.
  parsers = createPooledParser({ workerFile, deadlineMs: 100_000 });
}, 60_000);
afterAll(async () => {
  await parsers.stop();
  await folder.remove();
});

const manySteps = `steps:\n${Array.from({ length: 10_000 }, (_, index) => `- {name: step-${index}, run: "echo ${'x'.repeat(55)}", env: [A=b]}\n`).join('')}`;

/** How often the event loop came round while the action ran. */
async function countLoopPasses<T>(action: () => Promise<T>): Promise<{ readonly result: T; readonly passes: number }> {
  let passes = 0;
  let immediate = setImmediate(function pass() {
    passes += 1;
    immediate = setImmediate(pass);
  });
  try {
    return { result: await action(), passes };
  } finally {
    clearImmediate(immediate);
  }
}

describe('the parse worker', () => {
  it('returns what the parser returns', async () => {
    const text = `description: "${'x'.repeat(20_000)}"\nsteps: [{name: a, run: echo, depends: b}]`;

    await expect(parsers.forRequests.parse(text, { name: 'big' })).resolves.toEqual(parseDag(text, { name: 'big' }));
  });

  it('uses the base configurations of each call and keeps the results separate', async () => {
    const text = `description: "${'x'.repeat(20_000)}"\nsteps: [{name: a, run: echo}]`;
    const queueWith = async (base: string) => {
      const { dag } = await parsers.forServer.parse(text, { bases: [{ label: 'base.yaml', text: base }] });
      return dag.queue;
    };

    await expect(queueWith('queue: first')).resolves.toBe('first');
    await expect(queueWith('queue: second')).resolves.toBe('second');
    await expect(queueWith('queue: first')).resolves.toBe('first');
  });

  it('keeps the event loop free while it parses a spec of about 1 MB', async () => {
    expect(manySteps.length).toBeGreaterThan(900_000);
    const { result, passes } = await countLoopPasses(() => parsers.forRequests.parse(manySteps, { name: 'many' }));

    expect(result.dag.steps).toHaveLength(10_000);
    // A parse in this thread would let it come round once or twice.
    expect(passes).toBeGreaterThan(100);
  });

  it('returns a cached result for the same text', async () => {
    const first = await parsers.forRequests.parse(manySteps, { name: 'many' });

    await expect(parsers.forRequests.parse(manySteps, { name: 'many' })).resolves.toBe(first);
  }, 60_000);
});
