import { AppError, isAppError } from '@weir/foundation';
import { createDatabase } from '@weir/workflow-db';
import { startPostgres } from '@weir/test-kit';
import type { Request, Response } from 'express';
import { translateDatabaseFailures } from './database-failures';

function passedOn(error: unknown): unknown {
  let passed: unknown;
  translateDatabaseFailures()(error, {} as Request, {} as Response, (next: unknown) => {
    passed = next;
  });
  return passed;
}

describe('translateDatabaseFailures', () => {
  it('converts the failure of a lost database connection to unavailable', async () => {
    const postgres = await startPostgres();
    const { url, drop } = await postgres.createDatabase();
    const { db, close } = await createDatabase({ url });
    await drop();

    const failure: unknown = await db.user.count().catch((error: unknown) => error);
    const passed = passedOn(failure);

    expect(isAppError(passed) && [passed.code, passed.cause]).toEqual(['unavailable', failure]);
    await close();
    await postgres.stop();
  }, 60_000);

  it('converts a full disk to unavailable, for any code that noticed it', () => {
    const full = Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });

    for (const error of [full, new Error('write failed', { cause: full })]) {
      expect(passedOn(error)).toMatchObject({ code: 'unavailable', reason: 'storage_full', cause: error });
    }
  });

  it('leaves a failure unchanged that already has a meaning', () => {
    const error = new AppError('unavailable', 'The file cannot be written to.', {
      cause: Object.assign(new Error('full'), { code: 'ENOSPC' }),
    });
    expect(passedOn(error)).toBe(error);
  });

  it('leaves everything else unchanged', () => {
    const error = new Error('other');
    expect(passedOn(error)).toBe(error);
  });
});
