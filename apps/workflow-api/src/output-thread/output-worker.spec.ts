import path from 'node:path';
import { temporaryFolder, type TemporaryFolder } from '@weir/test-kit';
import { build } from 'esbuild';
import type { OutputRequest } from './output-request';
import { createOutputEvaluator } from './output-evaluator';

const testLimitMs = 300_000;
const { signal } = new AbortController();
let folder: TemporaryFolder;
let workerFile: string;

beforeAll(async () => {
  folder = temporaryFolder();
  workerFile = await bundleWorker('output-worker.js', require.resolve('jq-web'));
}, 60_000);
afterAll(() => folder.remove());

async function bundleWorker(name: string, jq: string): Promise<string> {
  const outfile = folder.file(name);
  await build({
    entryPoints: [path.join(__dirname, 'output-worker.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    conditions: ['@weir/source'],
    // It keeps a file of its own.
    alias: { 'jq-web': jq },
    // Loaded only by steps that need them, none of which is here.
    external: [jq, 'ssh2', 'dockerode'],
  });
  return outfile;
}

const request = (select: string, stdout = '{"a": [1, 2], "s": "x\\ny"}'): OutputRequest => ({
  fields: [{ name: 'x', source: { kind: 'stdout', decode: 'json', select } }],
  stdout,
  files: [],
  maxBytes: 1_048_576,
});
const permits = { acquire: () => Promise.resolve(() => undefined) };
const tooCostly = { problem: 'evaluating the outputs takes too long or too much memory' };

describe('the output worker', () => {
  it.each([
    ['.a | add', 3],
    ['.none.deeper // "d"', 'd'],
    ['.s', 'x\ny'],
    ['-1', -1],
    ['$ENV | has("PATH") and (.PATH == "/")', true],
  ])('applies %s', async (select, value) => {
    const evaluator = createOutputEvaluator({ workerFile, permits });
    await expect(evaluator.evaluate(request(select), signal)).resolves.toEqual({ fields: [{ name: 'x', value }] });
  });

  it.each(['.[', '.a.b', 'error', 'import "a" as a; .', 'input', '[range(1e9)] | length'])(
    'refuses %s in words of its own',
    async (select) => {
      // Memory ends the last one, however long a busy machine takes to fill it.
      const evaluator = createOutputEvaluator({ workerFile, permits, deadlineMs: testLimitMs });
      await expect(evaluator.evaluate(request(select), signal)).resolves.toEqual({
        problem: 'the output "x" has a select that is no jq expression or cannot be applied to what was read',
      });
    },
    testLimitMs,
  );

  it('loads jq only for an output with a select', async () => {
    const withoutJq = await bundleWorker('without-jq.js', folder.file('no-such-jq.js'));
    const evaluator = createOutputEvaluator({ workerFile: withoutJq, permits });
    const plain: OutputRequest = {
      fields: [{ name: 'x', source: { kind: 'stdout', decode: 'json' } }],
      stdout: '[1]',
      files: [],
      maxBytes: 100,
    };

    await expect(evaluator.evaluate(plain, signal)).resolves.toEqual({ fields: [{ name: 'x', value: [1] }] });
    await expect(evaluator.evaluate(request('.'), signal)).rejects.toThrow('no-such-jq');
  });

  it('reads a megabyte', async () => {
    const evaluator = createOutputEvaluator({ workerFile, permits });
    const stdout = JSON.stringify(Array.from({ length: 50_000 }, (_, at) => ({ at, text: 'ü' })));
    await expect(evaluator.evaluate(request('length', stdout), signal)).resolves.toEqual({
      fields: [{ name: 'x', value: 50_000 }],
    });
  });

  it('is ended when it takes too long, or when the run is stopped', async () => {
    const endless = request('last(range(1e15))');
    const evaluator = createOutputEvaluator({ workerFile, deadlineMs: 300, permits });
    await expect(evaluator.evaluate(endless, signal)).resolves.toEqual(tooCostly);
    await expect(evaluator.evaluate(endless, AbortSignal.abort())).resolves.toEqual({ problem: 'the run was stopped' });
  });

  it('starts no thread before it gets a permit, and returns the permit', async () => {
    let enter = (): void => undefined;
    const released = jest.fn();
    const room = new Promise<() => void>((resolve) => (enter = () => resolve(released)));
    const evaluator = createOutputEvaluator({ workerFile, permits: { acquire: () => room } });
    const answered = evaluator.evaluate(request('.s'), signal);
    expect(released).not.toHaveBeenCalled();
    enter();
    await expect(answered).resolves.toEqual({ fields: [{ name: 'x', value: 'x\ny' }] });
    expect(released).toHaveBeenCalledTimes(1);
    const full = createOutputEvaluator({ workerFile, permits: { acquire: () => Promise.resolve(undefined) } });
    await expect(full.evaluate(request('.s'), signal)).resolves.toEqual({ problem: 'the run was stopped' });
  });

  it('rejects when there is no worker', async () => {
    const evaluator = createOutputEvaluator({ workerFile: '/nowhere/worker.js', permits });
    await expect(evaluator.evaluate(request('.'), signal)).rejects.toThrow('/nowhere/worker.js');
  });
});
