import { mkdir, readFile, readdir, stat, utimes, writeFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { temporaryFolder, type TemporaryFolder } from '@weir/test-kit';
import { createFileLocks } from '../../host/file-locks/file-locks';
import { createFileBuildCache } from './file-build-cache';

const now = new Date('2026-11-23T12:00:00Z');
const day = 86_400_000;
const signal = new AbortController().signal;
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

describe('the cache of builds', () => {
  let folder: TemporaryFolder;

  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(() => folder.remove());

  function open(limits: { readonly maxBytes?: number; readonly maxAgeMs?: number } = {}) {
    const locked = new Set<string>();
    const tryLock = (file: string) => {
      if (locked.has(file)) return undefined;
      locked.add(file);
      return { release: () => void locked.delete(file) };
    };
    return createFileBuildCache({
      folder: folder.file('builds'),
      locks: createFileLocks({ folder: folder.file('locks'), tryLock }),
      clock: { now: () => now },
      maxBytes: 1000,
      maxAgeMs: 30 * day,
      ...limits,
    });
  }

  async function built(name: string, content: string, mode = 0o640) {
    await writeFile(folder.file(name), content, { mode });
    return { path: folder.file(name), sha256: hashOf(content), mode };
  }

  it('restores what was stored, with its mode', async () => {
    const cache = open();
    await cache.store('f1', { app: await built('a', 'content', 0o755) });
    expect(await cache.find('f1')).toEqual({ app: { sha256: hashOf('content'), mode: 0o755 } });
    expect(await cache.find('f2')).toBeUndefined();
    expect(await cache.restore({ sha256: hashOf('content'), mode: 0o755 }, folder.file('b'), signal)).toBe(true);
    expect(await readFile(folder.file('b'), 'utf8')).toBe('content');
    expect((await stat(folder.file('b'))).mode & 0o777).toBe(0o755);
  });

  it('does not restore damaged content, and forgets it', async () => {
    const cache = open();
    await cache.store('f1', { app: await built('a', 'content') });
    await writeFile(folder.file('builds', 'contents', hashOf('content')), 'other');
    expect(await cache.restore({ sha256: hashOf('content'), mode: 0o644 }, folder.file('b'), signal)).toBe(false);
    expect(await readdir(folder.file('builds', 'contents'))).toEqual([]);
  });

  it.each(['{', '[]', '{"app":{"sha256":"../../etc/passwd","mode":420}}'])('ignores the record %s', async (text) => {
    await mkdir(folder.file('builds', 'records'), { recursive: true });
    await writeFile(folder.file('builds', 'records', 'f1'), text);
    const found = await open().find('f1');
    expect(found ?? {}).toEqual({});
  });

  it('removes the least recently used entries when it is full', async () => {
    const cache = open({ maxBytes: 25 });
    for (const [index, text] of ['first-----', 'second----'].entries()) {
      await cache.store(`f${index}`, { app: await built('a', text) });
      const used = new Date(now.getTime() - (2 - index) * 60_000);
      await utimes(folder.file('builds', 'contents', hashOf(text)), used, used);
    }
    await cache.restore({ sha256: hashOf('first-----'), mode: 0o644 }, folder.file('b'), signal);
    await cache.store('f3', { app: await built('a', 'third-----') });
    const left = await readdir(folder.file('builds', 'contents'));
    expect(left.sort()).toEqual([hashOf('first-----'), hashOf('third-----')].sort());
  });

  it('removes entries that were not used for too long, and stores no content larger than its limit', async () => {
    const cache = open({ maxBytes: 10 });
    await cache.store('old', { app: await built('a', 'old') });
    const used = new Date(now.getTime() - 31 * day);
    for (const file of [`records/old`, `contents/${hashOf('old')}`])
      await utimes(folder.file('builds', file), used, used);
    await cache.store('large', { app: await built('a', 'larger than that') });
    expect(await cache.find('old')).toBeUndefined();
    expect(await cache.find('large')).toBeDefined();
    expect(await readdir(folder.file('builds', 'contents'))).toEqual([]);
  });

  it('allows one user of a file at a time, and gives up when it is aborted', async () => {
    const cache = open();
    const end = new AbortController();
    const ended = once(end.signal, 'abort');
    const first = cache.hold(['/a'], signal, () => ended);
    const stop = new AbortController();
    const second = cache.hold(['/a'], stop.signal, () => Promise.resolve('second'));
    const third = cache.hold(['/a'], signal, () => Promise.resolve('third'));
    stop.abort();
    await expect(second).rejects.toThrow();
    end.abort();
    await first;
    await expect(third).resolves.toBe('third');
  });
});
