import { createHash } from 'node:crypto';
import type { ParseResult } from '@weir/workflow-spec';
import { LRUCache } from 'lru-cache';
import type { DagParser, DagParsers } from './dag-parser';
import { ParseQueue, type Lane } from './parse-queue';
import { parseSpec, type SpecOptions } from './parse-spec';
import { ParseThread } from './parse-thread';

export interface PooledParserOptions {
  /** The path of the bundled `parse-worker`. */
  readonly workerFile: string;
  /** The longest spec that is parsed on the calling thread. Default: 16 KiB, which takes a few milliseconds. */
  readonly inlineBytes?: number;
  /** Limits the requests that wait for the worker. Default: 32. */
  readonly maxWaiting?: number;
  /** Limits the time of a request in the queue. Default: 20 s. */
  readonly maxWaitMs?: number;
  /** Limits the time for parsing one spec. Default: 10 s. */
  readonly deadlineMs?: number;
  /** Total size of the specs whose results are cached. Default: 16 MiB. */
  readonly cacheTextBytes?: number;
}

const defaults = {
  inlineBytes: 16 * 1024,
  maxWaiting: 32,
  maxWaitMs: 20_000,
  deadlineMs: 10_000,
  cacheTextBytes: 16 * 1024 * 1024,
};

/**
 * Parses long specs in one worker thread, so that the event loop stays free. Results are cached, because a run is
 * parsed when it is created and again when it is executed. Concurrent requests for the same long spec share one
 * parse.
 */
export function createPooledParser(options: PooledParserOptions): DagParsers {
  const { workerFile, inlineBytes, maxWaiting, maxWaitMs, deadlineMs, cacheTextBytes } = { ...defaults, ...options };
  const queue = new ParseQueue({ thread: new ParseThread({ workerFile, deadlineMs }), maxWaiting, maxWaitMs });
  const cache = new LRUCache<string, ParseResult>({ maxSize: cacheTextBytes });
  const store = (key: string, result: ParseResult, texts: readonly string[]): void => {
    // An empty spec needs a size as well, or the cache would refuse it.
    cache.set(key, result, { size: Math.max(1, countBytes(texts)) });
  };
  const pending = new Map<string, Promise<ParseResult>>();

  const parseInThread = (text: string, parseOptions: SpecOptions, lane: Lane): Promise<ParseResult> => {
    const key = toCacheKey(text, parseOptions);
    const cached = cache.get(key);
    if (cached !== undefined) return Promise.resolve(cached);
    // Lanes do not share parses: a rejected request must not fail the server's own work.
    const sharedKey = `${lane} ${key}`;
    const shared = pending.get(sharedKey);
    if (shared !== undefined) return shared;
    const parsing = queue
      .parse({ text, options: parseOptions }, lane)
      .then((result) => {
        store(key, result, listTexts(text, parseOptions));
        return result;
      })
      .finally(() => pending.delete(sharedKey));
    pending.set(sharedKey, parsing);
    return parsing;
  };

  const parseInline = (text: string, parseOptions: SpecOptions): ParseResult => {
    const key = toCacheKey(text, parseOptions);
    const cached = cache.get(key);
    if (cached !== undefined) return cached;
    const result = parseSpec(text, parseOptions);
    store(key, result, listTexts(text, parseOptions));
    return result;
  };

  const createLaneParser = (lane: Lane): DagParser => ({
    parse: async (text, parseOptions = {}) =>
      isLongerThan(inlineBytes, listTexts(text, parseOptions))
        ? parseInThread(text, parseOptions, lane)
        : parseInline(text, parseOptions),
  });

  return {
    name: 'dag parser',
    forRequests: createLaneParser('requests'),
    forServer: createLaneParser('server'),
    stop: () => queue.stop(),
  };
}

function listTexts(text: string, { bases = [] }: SpecOptions): readonly string[] {
  return [text, ...bases.map((base) => base.text)];
}

function countBytes(texts: readonly string[]): number {
  return texts.reduce((total, text) => total + Buffer.byteLength(text), 0);
}

function isLongerThan(bytes: number, texts: readonly string[]): boolean {
  // A string has at least as many bytes as UTF-16 code units, so the bytes of long ones need not be counted.
  return texts.some(({ length }) => length > bytes) || countBytes(texts) > bytes;
}

function toCacheKey(text: string, options: SpecOptions): string {
  const { name, overrideName, bases = [], textHash = hashText(text) } = options;
  return hashText(JSON.stringify([name ?? null, overrideName ?? false, bases, textHash]));
}

function hashText(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
