import { existsSync, mkdirSync, readFileSync, rmdirSync } from 'node:fs';
import { createRecordingLogger, temporaryFolder } from '@weir/test-kit';
import { createJournalFile, openJournalFile } from './journal-file';
import { createFileLimit } from './file-limit';

describe('a journal file', () => {
  const folder = temporaryFolder();
  const fileLimit = createFileLimit(2);
  const logger = createRecordingLogger();
  const createOptions = (name: string, sync = false) => ({ file: folder.file(name), sync, fileLimit });
  const read = async (name: string) => (await openJournalFile(createOptions(name), logger)).values;
  afterAll(() => folder.remove());

  it.each([true, false])('keeps records in the order of the calls (waiting for the disk: %s)', async (sync) => {
    const journal = createJournalFile(createOptions(`order ${sync}`, sync));
    await Promise.all([1, 2, 3, 4].map((number) => journal.append({ number })));
    expect(await read(`order ${sync}`)).toEqual([1, 2, 3, 4].map((number) => ({ number })));
  });

  it('appends after existing records', async () => {
    await createJournalFile(createOptions('on')).append('first');
    const { journal } = await openJournalFile(createOptions('on'), logger);
    await journal.append('second');
    expect(await read('on')).toEqual(['first', 'second']);
    expect(journal.bytes()).toBe(readFileSync(folder.file('on')).length);
  });

  it('reports that a record could not be written', async () => {
    mkdirSync(folder.file('taken'));
    const journal = createJournalFile(createOptions('taken'));
    await expect(journal.append('lost')).rejects.toMatchObject({ code: 'unavailable', reason: 'journal_failed' });
    rmdirSync(folder.file('taken'));
  });

  it('replaces all records atomically, and is deleted when removed', async () => {
    const journal = createJournalFile(createOptions('replaced'));
    await journal.append('old');
    await journal.replace(() => ['new']);
    await journal.append('newer');
    expect(await read('replaced')).toEqual(['new', 'newer']);
    await journal.remove();
    expect(existsSync(folder.file('replaced'))).toBe(false);
    await expect(journal.append('late')).rejects.toMatchObject({ reason: 'journal_failed' });
  });
});
