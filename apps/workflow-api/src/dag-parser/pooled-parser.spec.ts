import path from 'node:path';
import { waitFor } from '@weir/test-kit';
import type { ParseOptions, ParseResult } from '@weir/workflow-spec';
import type { DagParsers } from './dag-parser';
import { createPooledParser, type PooledParserOptions } from './pooled-parser';

const workerFile = path.join(__dirname, '__fixtures__', 'answering-worker.cjs');
const all: DagParsers[] = [];

const pooled = (options: Partial<PooledParserOptions> = {}): DagParsers => {
  const parsers = createPooledParser({ workerFile, inlineBytes: 0, ...options });
  all.push(parsers);
  return parsers;
};
afterEach(() => Promise.all(all.splice(0).map((parsers) => parsers.stop())));

/** The thread that parsed the spec, and how many specs it had parsed by then. */
const traceParse = ({ dag }: ParseResult) =>
  JSON.parse(dag.description ?? '') as { readonly threadId: number; readonly parses: number };

/** Blocks the worker on a spec until the gate opens. */
const gate = () => {
  const flag = new Int32Array(new SharedArrayBuffer(4));
  const options: ParseOptions & { readonly gate: SharedArrayBuffer } = { name: 'held', gate: flag.buffer };
  return {
    options,
    open: () => {
      Atomics.store(flag, 0, 1);
      Atomics.notify(flag, 0);
    },
  };
};

describe('a small text', () => {
  it('is parsed without a worker', async () => {
    const parsers = pooled({ workerFile: '/nowhere/worker.js', inlineBytes: 100 });

    const { dag } = await parsers.forRequests.parse('steps: [echo hi]', { name: 'small' });

    expect(dag).toMatchObject({ name: 'small', steps: [{ name: 'step_1' }] });
  });

  it('is measured in bytes', async () => {
    const parsers = pooled({ inlineBytes: 20 });

    expect(traceParse(await parsers.forRequests.parse('€€€€€€€€'))).toMatchObject({ parses: 1 });
  });
});

describe('a large text', () => {
  it('is parsed by one warm worker with its options', async () => {
    const { forRequests } = pooled();

    const first = await forRequests.parse('one', { name: 'first' });
    const second = await forRequests.parse('two');

    expect(first.dag.name).toBe('first');
    expect(traceParse(second)).toEqual({ threadId: traceParse(first).threadId, parses: 2 });
  });

  it('is parsed once when both lanes request it one after the other', async () => {
    const { forRequests, forServer } = pooled();

    const first = await forServer.parse('one', { name: 'a' });

    await expect(forRequests.parse('one', { name: 'a' })).resolves.toBe(first);
  });

  it('is parsed again under other options', async () => {
    const { forRequests } = pooled();
    await forRequests.parse('one', { name: 'a' });

    const results = [
      await forRequests.parse('one', { name: 'b' }),
      await forRequests.parse('one', { name: 'b', overrideName: true }),
    ];

    expect(results.map((result) => traceParse(result).parses)).toEqual([2, 3]);
  });

  it('shares a pending parse', async () => {
    const { forRequests } = pooled();

    const [first, second] = await Promise.all([forRequests.parse('one'), forRequests.parse('one')]);

    expect(second).toBe(first);
  });

  it('is evicted, the least recently used first, when the cache is full', async () => {
    const { forRequests } = pooled({ cacheTextBytes: 8 });
    const countParses = async (text: string) => traceParse(await forRequests.parse(text)).parses;
    await countParses('aaaa');
    await countParses('bbbb');
    await countParses('aaaa');
    await countParses('cccc');

    expect(await countParses('aaaa')).toBe(1);
    expect(await countParses('bbbb')).toBe(4);
  });
});

describe('a worker that ends', () => {
  it.each(['exit', 'throw'])('by "%s" refuses its text and is replaced', async (word) => {
    const { forRequests } = pooled();

    const [broken, next] = await Promise.allSettled([forRequests.parse(`${word} 1`), forRequests.parse('one')]);

    expect(broken).toMatchObject({ status: 'rejected', reason: { code: 'internal' } });
    expect(next).toMatchObject({ status: 'fulfilled' });
  });

  it('does not settle a refused text, which is parsed again', async () => {
    const { forRequests } = pooled();
    await expect(forRequests.parse('exit 1')).rejects.toMatchObject({ code: 'internal' });
    const before = traceParse(await forRequests.parse('one')).threadId;

    await expect(forRequests.parse('exit 1')).rejects.toMatchObject({ code: 'internal' });

    expect(traceParse(await forRequests.parse('two')).threadId).not.toBe(before);
  });

  it('that runs out of memory refuses its text as too costly', async () => {
    const { forRequests } = pooled({ deadlineMs: 60_000 });

    await expect(forRequests.parse('grow 1')).rejects.toMatchObject({ reason: 'spec_too_costly' });
    expect(traceParse(await forRequests.parse('one')).parses).toBe(1);
  }, 60_000);

  it('because its file is missing refuses its text', async () => {
    const { forRequests } = pooled({ workerFile: '/nowhere/worker.js' });

    await expect(forRequests.parse('one')).rejects.toMatchObject({ code: 'internal' });
  });
});

describe('a spec over its deadline', () => {
  it('is refused as too costly, and the next one gets a new worker', async () => {
    // It includes the start of a thread, also on a busy machine.
    const { forRequests } = pooled({ deadlineMs: 2_000 });

    const [costly, next] = await Promise.allSettled([forRequests.parse('hang'), forRequests.parse('one')]);

    expect(costly).toMatchObject({
      status: 'rejected',
      reason: { code: 'invalid_request', reason: 'spec_too_costly' },
    });
    expect(next).toMatchObject({ status: 'fulfilled' });
  });
});

describe('a full queue', () => {
  it('refuses another request, and accepts requests again once there is room', async () => {
    const { forRequests } = pooled({ maxWaiting: 2 });
    const { options, open } = gate();
    const held = forRequests.parse('wait', options);
    const waiting = [forRequests.parse('one'), forRequests.parse('two')];

    await expect(forRequests.parse('three')).rejects.toMatchObject({
      code: 'unavailable',
      reason: 'parser_busy',
      details: { retryAfterSeconds: 2 },
    });
    open();

    await expect(Promise.all([held, ...waiting])).resolves.toHaveLength(3);
    expect(traceParse(await forRequests.parse('three')).parses).toBe(4);
  });

  it("does not refuse the server's own work, which alternates with the requests", async () => {
    const { forRequests, forServer } = pooled({ maxWaiting: 1 });
    const { options, open } = gate();
    const held = forRequests.parse('wait', options);
    const server = [forServer.parse('s1'), forServer.parse('s2'), forServer.parse('s3')];
    const request = forRequests.parse('r1');
    open();
    await held;

    const turns = (await Promise.all([...server, request])).map((result) => traceParse(result).parses);

    expect(turns).toEqual([2, 4, 5, 3]);
  });

  it('refuses a request that waits too long', async () => {
    const { forRequests } = pooled({ maxWaitMs: 100 });
    const { options, open } = gate();
    const held = forRequests.parse('wait', options);

    await expect(forRequests.parse('one')).rejects.toMatchObject({ reason: 'parser_busy' });

    open();
    expect(traceParse(await held).parses).toBe(1);
  });
});

describe('stop', () => {
  it('rejects what is being parsed, what waits and what comes later', async () => {
    const parsers = pooled();
    const { forRequests, forServer } = parsers;
    const open = [forRequests.parse('hang'), forRequests.parse('one'), forServer.parse('two')];
    const settled = Promise.allSettled(open);

    await parsers.stop();

    const refused = { status: 'rejected', reason: { reason: 'parser_stopped' } };
    expect(await settled).toMatchObject([refused, refused, refused]);
    await expect(forRequests.parse('later')).rejects.toMatchObject({ reason: 'parser_stopped' });
  });

  it('leaves no thread behind', async () => {
    const parsers = pooled();
    await parsers.forRequests.parse('one');

    await parsers.stop();

    const isGone = () => !process.getActiveResourcesInfo().includes('MessagePort');
    await expect(waitFor(() => isGone() || undefined, { what: 'the thread to end' })).resolves.toBe(true);
  });
});
