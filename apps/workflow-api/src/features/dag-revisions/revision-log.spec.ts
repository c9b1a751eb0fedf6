import { createInMemoryDagRevisionRepository, createRevisionLog } from './index';

const now = new Date('2026-05-06T07:08:09Z');

function aLog(maxRevisions = 10) {
  const dagRevisions = createInMemoryDagRevisionRepository();
  const files = new Map<string, string>();
  const log = createRevisionLog({
    dagRevisions,
    maxRevisions,
    clock: { now: () => now },
    readFile: (name) => {
      const text = files.get(name);
      return Promise.resolve(text === undefined ? undefined : { kind: 'text' as const, text });
    },
    readWorkspace: () => Promise.resolve('ops'),
  });
  const write = (text: string) => () => Promise.resolve(void files.set('nightly', text));
  const put = (text: string, author = 'ada') =>
    log.change('nightly', { change: 'changed', author, state: { text, workspace: 'ops' } }, write(text));
  const texts = async () => {
    const all = await dagRevisions.list('nightly');
    return Promise.all(
      all.map(async ({ number, change, author }) => [
        change,
        author,
        (await dagRevisions.find('nightly', number))?.text,
      ]),
    );
  };
  return { dagRevisions, files, log, put, texts };
}

describe('the log of revisions', () => {
  it('keeps the text from before the first change, without an author', async () => {
    const { files, put, texts } = aLog();
    files.set('nightly', 'by hand');
    await put('by ada');

    await expect(texts()).resolves.toEqual([
      ['changed', 'ada', 'by ada'],
      ['created', null, 'by hand'],
    ]);
  });

  it('records a change outside of the server once', async () => {
    const { files, log, put, texts } = aLog();
    await put('by ada');
    files.set('nightly', 'by hand');
    await log.observe('nightly');
    await log.observe('nightly');

    await expect(texts()).resolves.toEqual([
      ['changed', null, 'by hand'],
      ['changed', 'ada', 'by ada'],
    ]);
  });

  it('observes a change that a crash kept from being recorded', async () => {
    const { log, dagRevisions, put, texts } = aLog();
    await put('before');
    jest.spyOn(dagRevisions, 'insert').mockRejectedValueOnce(new Error('the process ended'));
    await expect(put('after', 'eve')).rejects.toThrow('the process ended');
    await log.observe('nightly');

    await expect(texts()).resolves.toEqual([
      ['changed', null, 'after'],
      ['changed', 'ada', 'before'],
    ]);
  });

  it('gives a change its author when another process observed it before it was recorded', async () => {
    const { files, log, put, texts } = aLog();
    await put('before');
    const state = { text: 'after', workspace: 'ops' };
    await log.change('nightly', { change: 'restored', author: 'eve', state }, async () => {
      files.set('nightly', 'after');
      await log.observe('nightly');
    });

    await expect(texts()).resolves.toEqual([
      ['restored', 'eve', 'after'],
      ['changed', 'ada', 'before'],
    ]);
  });

  it('leaves a change outside of the server without an author when its text is written again', async () => {
    const { files, put, texts } = aLog();
    files.set('nightly', 'same');
    await put('same');

    await expect(texts()).resolves.toEqual([
      ['changed', 'ada', 'same'],
      ['created', null, 'same'],
    ]);
  });

  it('records that a file was removed outside of the server, and created again', async () => {
    const { files, log, put, texts } = aLog();
    await put('before');
    files.clear();
    await log.observe('nightly');
    files.set('nightly', 'before');
    await log.observe('nightly');

    await expect(texts()).resolves.toEqual([
      ['created', null, 'before'],
      ['deleted', null, ''],
      ['changed', 'ada', 'before'],
    ]);
  });

  it('keeps each of many concurrent changes, limited to the newest', async () => {
    const { put, texts } = aLog(3);
    await Promise.all(['a', 'b', 'c', 'd', 'e'].map((text) => put(text)));

    await expect(texts()).resolves.toHaveLength(3);
  });

  it('skips a text that no database can store', async () => {
    const { files, log, texts } = aLog();
    files.set('nightly', 'a\0b');
    await log.observe('nightly');

    await expect(texts()).resolves.toEqual([]);
  });
});
