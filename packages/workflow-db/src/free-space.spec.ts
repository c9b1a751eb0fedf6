import path from 'node:path';
import { temporaryFolder } from '@weir/test-kit';
import { applyMigrations } from './apply-migrations';
import { createDatabase } from './create-database';
import { freeSpace } from './free-space';

const migrations = path.resolve(__dirname, '../prisma/migrations');

describe('freeSpace', () => {
  it('shrinks a SQLite file after rows were deleted', async () => {
    const folder = temporaryFolder();
    const url = `file:${folder.file('weir.db')}`;
    await applyMigrations({ url, folder: migrations });
    const database = await createDatabase({ url });
    const { db } = database;
    const pages = async (): Promise<number> => {
      const [row] = await db.$queryRawUnsafe<{ readonly page_count: bigint }[]>('PRAGMA page_count');
      return Number(row?.page_count);
    };
    const before = await pages();
    for (let index = 0; index < 50; index += 1) {
      const data = { scope: 'dag', namespace: 'demo', key: String(index), version: 1, updatedAt: new Date() };
      await db.stateEntry.create({ data: { ...data, value: 'x'.repeat(100_000) } });
    }
    const full = await pages();
    await db.stateEntry.deleteMany();
    await freeSpace(database);
    await freeSpace(database);

    expect(full).toBeGreaterThan(before + 1_000);
    expect(await pages()).toBeLessThan(before + 50);
    await database.close();
    await folder.remove();
  });

  it('does nothing on PostgreSQL', async () => {
    const db = { $executeRawUnsafe: () => Promise.reject(new Error('Nothing is asked.')) };

    await expect(freeSpace({ db: db as never, provider: 'postgresql' })).resolves.toBeUndefined();
  });
});
