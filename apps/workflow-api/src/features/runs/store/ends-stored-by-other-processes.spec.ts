import { aRun, aRunStep, toOwnerEvent } from '@weir/workflow-engine/testing';
import { applyMigrations, createDatabase, type Database } from '@weir/workflow-db';
import { startPostgres, type TestPostgres } from '@weir/test-kit';
import path from 'node:path';
import { unaudited } from '../../../access/audited-operation';
import { createPrismaDagRunRepository } from './prisma-dag-run-repository';

const folder = path.resolve(__dirname, '../../../../../../packages/workflow-db/prisma/migrations');

describe('the end of a run that another process has stored, on PostgreSQL', () => {
  let postgres: TestPostgres;
  let here: Database;
  let there: Database;

  beforeAll(async () => {
    postgres = await startPostgres();
    const { url } = await postgres.createDatabase();
    await applyMigrations({ url, folder });
    here = await createDatabase({ url });
    there = await createDatabase({ url });
  }, 60_000);
  afterAll(async () => {
    await here.close();
    await there.close();
    await postgres.stop();
  });

  it('is announced to its waiters here, without a poll', async () => {
    const runs = createPrismaDagRunRepository(here);
    const others = createPrismaDagRunRepository(there);
    const running = { status: 'running', ownerId: 'other', fencingToken: 1 } as const;
    await others.insert(aRun({ id: 'child', ...running }), [aRunStep()], { audit: unaudited, singleton: false });
    let ends = 0;
    const unwatch = await runs.watch(() => (ends += 1));
    // Once at the start, because some may have been missed before.
    expect(ends).toBe(1);
    const announced = new Promise<void>((resolve) => runs.subscribe('child', resolve));
    const ended = { status: 'succeeded', finishedAt: new Date(), error: null } as const;
    await others.commit(
      'child',
      toOwnerEvent({ ownerId: 'other', token: 1 }, [{ position: 0, status: 'succeeded' }], ended),
      { audit: unaudited },
    );

    await announced;
    expect(ends).toBe(2);
    await unwatch();
  });
});
