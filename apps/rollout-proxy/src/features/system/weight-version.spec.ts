import { createManualClock, createRecordingLogger, temporaryFolder } from '@weir/test-kit';
import { createFileLimit } from '../../journal/file-limit';
import { openWeightVersion } from './weight-version';

describe('the version of the weights', () => {
  const folder = temporaryFolder();
  afterAll(() => folder.remove());
  const open = () =>
    openWeightVersion({
      file: folder.file('weight-version.journal'),
      sync: false,
      fileLimit: createFileLimit(2),
      nowMs: createManualClock().nowMs,
      logger: createRecordingLogger(),
    });

  it('is 0 at first, and what was stored last when the process starts again', async () => {
    const version = await open();
    expect(version.stored).toBe(0);
    await version.store(3);
    await version.store(7);
    expect((await open()).stored).toBe(7);
  });
});
