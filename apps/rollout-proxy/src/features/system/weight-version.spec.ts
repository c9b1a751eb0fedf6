import { createManualClock, createRecordingLogger, temporaryFolder } from '@weir/test-kit';
import { createFileLimit } from '../../journal/file-limit';
import { createJournalFile } from '../../journal/journal-file';
import { openWeightVersion } from './weight-version';

describe('the version of the weights', () => {
  const folder = temporaryFolder();
  afterAll(() => folder.remove());
  const options = (name: string) => ({ file: folder.file(name), sync: false, fileLimit: createFileLimit(2) });
  const open = (name: string) =>
    openWeightVersion({ ...options(name), nowMs: createManualClock().nowMs, logger: createRecordingLogger() });

  it('is 0 at first, and the last stored one after a restart of the process', async () => {
    const version = await open('weights');
    expect(version.stored).toEqual({ version: 0 });
    await version.store({ version: 3 });
    const weights = { version: 7, loaded: { file: '/copy', source: '/trained', base: '/model' } };
    await version.store(weights);
    expect((await open('weights')).stored).toEqual(weights);
  });

  it('is read if only its number was stored', async () => {
    await createJournalFile(options('older')).append(['weights', 5, Number.MAX_SAFE_INTEGER]);
    expect((await open('older')).stored).toEqual({ version: 5 });
  });
});
