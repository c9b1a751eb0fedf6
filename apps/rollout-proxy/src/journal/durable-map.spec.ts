import { mkdirSync, rmSync } from 'node:fs';
import { createManualClock, createRecordingLogger, temporaryFolder } from '@weir/test-kit';
import { openDurableMap } from './durable-map';
import { createFileLimit } from './file-limit';

describe('a durable map', () => {
  const folder = temporaryFolder();
  const manual = createManualClock();
  const open = (name: string, maxEntries = 10) =>
    openDurableMap<string>({
      file: folder.file(name),
      sync: false,
      fileLimit: createFileLimit(2),
      nowMs: manual.nowMs,
      logger: createRecordingLogger(),
      maxEntries,
    });
  afterAll(() => folder.remove());

  it('keeps its entries when it is reopened', async () => {
    const map = await open('again');
    const later = manual.nowMs() + 1000;
    await map.set('a', 'one', later);
    await map.set('b', 'two', later);
    await map.delete('a');
    expect((await open('again')).keys()).toEqual(['b']);
    manual.advance(1000);
    expect((await open('again')).size()).toBe(0);
  });

  it('evicts the oldest beyond its maximum size', async () => {
    const map = await open('bounded', 2);
    for (const key of ['a', 'b', 'c']) await map.set(key, key, manual.nowMs() + 1000);
    expect(map.keys()).toEqual(['b', 'c']);
  });

  it('does not grow with deleted entries', async () => {
    const map = await open('compact');
    const text = 'x'.repeat(200_000);
    for (let firstDone = 0; firstDone < 30; firstDone += 1) {
      await map.set(`key ${firstDone}`, text, manual.nowMs() + 1000);
      await map.delete(`key ${firstDone}`);
    }
    await map.set('last', 'kept', manual.nowMs() + 1000);
    expect((await open('compact')).get('last')).toBe('kept');
  });

  it('keeps an entry whose deletion could not be stored', async () => {
    const map = await open('undeletable');
    await map.set('a', 'one', manual.nowMs() + 1000);
    rmSync(folder.file('undeletable'));
    mkdirSync(folder.file('undeletable'));
    await expect(map.delete('a')).rejects.toMatchObject({ reason: 'journal_failed' });
    expect(map.get('a')).toBe('one');
  });

  it('continues to store when its file cannot be compacted', async () => {
    const map = await open('long');
    mkdirSync(folder.file('long.new'));
    const text = 'x'.repeat(200_000);
    for (let firstDone = 0; firstDone < 12; firstDone += 1)
      await map.set('same', `${firstDone}${text}`, manual.nowMs() + 1000);
    expect((await open('long')).get('same')).toBe(`11${text}`);
  });
});
