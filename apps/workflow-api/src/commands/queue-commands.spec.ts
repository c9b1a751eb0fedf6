import { applyMigrations, createDatabase } from '@weir/workflow-db';
import { aRun, aRunStep, toOwnerEvent } from '@weir/workflow-engine/testing';
import path from 'node:path';
import { unaudited } from '../access/audited-operation';
import { createDatabaseStores } from '../testing/run-harness';
import { hello, useCommands } from './testing/use-commands';

const { home, run } = useCommands();
const folder = path.resolve(__dirname, '../../../../packages/workflow-db/prisma/migrations');

/** Leaves a run whose worker was lost once too often. */
async function giveUp(): Promise<void> {
  await run('history');
  const url = `file:${home().file('data', 'weir.db')}`;
  await applyMigrations({ url, folder });
  const database = await createDatabase({ url });
  try {
    const { queue, runs } = createDatabaseStores(database, { maxFailures: 1 });
    await runs.insert(aRun({ id: 'a', dagRunId: 'lost', dagName: 'hello', specText: hello }), [aRunStep()], {
      audit: unaudited,
      singleton: false,
    });
    const at = new Date();
    await queue.claim({ owner: 'one', labels: {}, at, from: 'queue' });
    const claim = await queue.claim({ owner: 'two', labels: {}, at, from: 'expired' });
    const lease = { ownerId: 'two', token: claim?.token ?? 0 };
    const ended = { status: 'failed', finishedAt: at, error: 'given up' } as const;
    await runs.commit('a', toOwnerEvent(lease, [{ position: 0, status: 'aborted' }], ended), { audit: unaudited });
  } finally {
    await database.close();
  }
}

describe('weir queue', () => {
  it('lists the runs that were given up, and queues them again', async () => {
    await giveUp();

    await expect(run('queue', 'dead-letters')).resolves.toMatchObject({
      exitCode: 0,
      errors: '',
      out: expect.stringMatching(/hello +hello +lost +1 +worker lost/) as string,
    });
    expect(JSON.parse((await run('queue', 'dead-letters', '--format', 'json')).out)).toMatchObject({
      deadLetters: [{ queue: 'hello', reason: 'worker_lost', run: { dagRunId: 'lost' } }],
    });
    await expect(run('queue', 'redrive', '--queue', 'other')).resolves.toMatchObject({
      exitCode: 0,
      out: 'no runs that were given up',
    });
    await expect(run('queue', 'redrive', '--all')).resolves.toMatchObject({ exitCode: 0, out: 'hello lost: queued' });
    expect((await run('status', '-r', 'lost', 'hello')).out).toContain('queued');
  });

  it.each([[[]], [['--all', '--queue', 'etl']]])('refuses to redrive without a selection: %j', async (flags) => {
    const { exitCode, errors } = await run('queue', 'redrive', ...flags);
    expect(exitCode).toBe(1);
    expect(errors).toContain('Name a queue with --queue');
  });
});
