import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { Secret } from '@weir/service-kit';
import { createRecordingLogger, startPostgres, temporaryFolder, waitFor, type TestPostgres } from '@weir/test-kit';
import { applyMigrations, createDatabase, type Database } from '@weir/workflow-db';
import { build } from 'esbuild';
import { unaudited } from '../access/audited-operation';
import { createPrismaWorkerRepository } from '../features/worker';
import { createDatabaseStores } from '../testing/run-harness';
import { aRun, aRunStep } from '@weir/workflow-engine/testing';
import { buildHeartbeatWorker } from '../testing/heartbeat-thread/bundle-heartbeat-worker';
import { createThreadHeartbeat } from './thread-heartbeat';
import { aWorker } from '../testing/worker-builders';

const folder = temporaryFolder();
const migrations = path.resolve(__dirname, '../../../../packages/workflow-db/prisma/migrations');
// Longer than a lease of ten seconds.
const busyMs = 12_000;
let postgres: TestPostgres;
let url: string;
let database: Database;

beforeAll(async () => {
  postgres = await startPostgres();
  ({ url } = await postgres.createDatabase());
  await applyMigrations({ url, folder: migrations });
  database = await createDatabase({ url });
  await buildHeartbeatWorker(folder.path);
  await build({
    entryPoints: { 'busy-worker': path.join(__dirname, '../testing/heartbeat-thread/busy-worker.ts') },
    outdir: folder.path,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    conditions: ['@weir/source'],
    external: ['pg-native', 'cpu-features', '*.node'],
  });
}, 60_000);
afterAll(async () => {
  await database.close();
  await postgres.stop();
  await folder.remove();
});

const workerFile = () => folder.file('heartbeat-worker.js');

describe('the heartbeat thread', () => {
  it('keeps the runs of a worker whose main thread is busy for longer than a lease', async () => {
    const { queue, runs } = createDatabaseStores(database);
    const owned = { id: 'held', status: 'running', ownerId: 'busy', fencingToken: 1 } as const;
    await runs.insert(aRun(owned), [aRunStep()], { audit: unaudited, singleton: false });
    const program = [folder.file('busy-worker.js'), workerFile(), url, 'busy', String(busyMs)];
    const child = spawn(process.execPath, program, { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(child.stdout, 'data');
    const claims: unknown[] = [];
    const looks = waitFor(
      async () => {
        claims.push(await queue.claim({ labels: {}, owner: 'other', at: new Date(), from: 'expired' }));
        return child.exitCode !== null;
      },
      { what: 'the worker to end', deadlineMs: busyMs + 60_000 },
    );
    await looks;

    expect(claims.slice(0, -1).filter((claim) => claim !== undefined)).toEqual([]);
    expect(claims.length).toBeGreaterThan(10);
  }, 120_000);

  it('reports how long it could not be stored, and continues once it can', async () => {
    const logger = createRecordingLogger();
    const other = await postgres.createDatabase();
    await applyMigrations({ url: other.url, folder: migrations });
    const heartbeat = createThreadHeartbeat({
      workerFile: workerFile(),
      url: new Secret(other.url),
      worker: aWorker({ id: 'one' }),
      logger,
      everyMs: 20,
    });
    await heartbeat.start(true);
    const second = await createDatabase({ url: other.url });
    await expect(createPrismaWorkerRepository(second).listAlive(5_000)).resolves.toEqual(['one']);
    await second.db.$executeRawUnsafe('ALTER TABLE "Runner" RENAME TO "Away"');
    await waitFor(() => heartbeat.silentMs() > 200, { what: 'silence' });
    expect(logger.messages('warn')).toEqual(['heartbeat was not stored']);
    await second.db.$executeRawUnsafe('ALTER TABLE "Away" RENAME TO "Runner"');
    await waitFor(() => logger.messages('info').includes('heartbeats are stored again'), { what: 'the recovery' });
    await heartbeat.stop();
    await second.close();
  });
});
