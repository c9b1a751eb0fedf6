import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { applyMigrations, createDatabase, noJson, type Database } from '@weir/workflow-db';
import { unaudited } from '../access/audited-operation';
import { createPrismaDagRunRepository } from '../features/runs';
import { createPrismaQueueDriver } from '../features/queue/store';
import { aRun, aRunStep, toOwnerEvent } from '@weir/workflow-engine/testing';

const waitingInFullQueue = 10_000;
const rounds = 500;
const migrations = path.resolve(__dirname, '../../../../packages/workflow-db/prisma/migrations');
const ended = { status: 'succeeded', finishedAt: new Date(), error: null } as const;
const insertOptions = { audit: unaudited, singleton: false };

/** Prints a table. */
export async function measureQueue(): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'weir-bench-'));
  const url = `file:${path.join(folder, 'queue.db')}`;
  await applyMigrations({ url, folder: migrations });
  const database = await createDatabase({ url });
  try {
    await measureAll(database);
  } finally {
    await database.close();
    await rm(folder, { recursive: true });
  }
}

async function measureAll(database: Database): Promise<void> {
  const queue = createPrismaQueueDriver(database);
  const runs = createPrismaDagRunRepository(database, queue);
  const claim = () => queue.claim({ labels: {}, owner: 'bench', at: new Date(), from: 'queue' });
  const add = (id: string, dagName: string) =>
    runs.insert(aRun({ id, dagName, dagRunId: id, queuedAt: new Date() }), [aRunStep()], insertOptions);
  const row = (name: string, figure: string): void => void process.stdout.write(`| ${name} | ${figure} |\n`);

  process.stdout.write('| SQLite, synchronous = FULL | |\n| --- | ---: |\n');
  const commits = await timed(rounds, (index) => database.db.dagFlag.create({ data: aFlag(index) }));
  row('one bare commit, ms', commits.medianMs.toFixed(2));
  const adds = await timed(rounds, (index) => add(`one-${index}`, `dag-${index}`));
  row('add one by one, runs per second', perSecond(adds.medianMs));
  const work = await timed(rounds, async () => {
    const found = await claim();
    if (found === undefined) throw new Error('Nothing could be claimed.');
    await runs.commit(found.runId, toOwnerEvent({ ownerId: 'bench', token: found.token }, [], ended), {
      audit: unaudited,
    });
  });
  row('claim and complete, runs per second', perSecond(work.medianMs));
  const both = await timed(rounds, async (index) => {
    await add(`both-${index}`, `both-${index}`);
    await claim();
  });
  row('put in and claimed, ms', both.medianMs.toFixed(2));
  row('idle look, ms', (await timed(rounds, claim)).medianMs.toFixed(2));
  await fill(database, 'full');
  await add('holder', 'full');
  await database.db.queueItem.update({ where: { runId: 'holder' }, data: { claimedBy: 'somebody' } });
  row(`look past ${waitingInFullQueue} in a full queue, ms`, (await timed(rounds, claim)).medianMs.toFixed(2));
  for (let index = 0; index < rounds; index += 1) await add(`free-${index}`, `free-${index}`);
  const past = await timed(rounds, claim);
  row(`claim past them from ${rounds} free queues, ms, median`, past.medianMs.toFixed(2));
  row('the same, slowest', past.slowestMs.toFixed(2));
  for (let index = 0; index < rounds; index += 1)
    await database.db.queueItem.deleteMany({ where: { runId: `free-${index}` } });
  let index = 0;
  const single = await timed(rounds, async () => {
    await add(`last-${(index += 1)}`, `last-${index}`);
    const begun = performance.now();
    await claim();
    return performance.now() - begun;
  });
  const claims = single.results.toSorted((left, right) => left - right);
  row('claim past them from the one free queue, ms, median', (claims[rounds / 2] ?? 0).toFixed(2));
  row('the same, slowest', (claims.at(-1) ?? 0).toFixed(2));
}

async function fill({ db }: Database, dagName: string): Promise<void> {
  const { labels, resolvedParams, baseTexts, profileLayers: _, ...run } = aRun({ dagName });
  for (let start = 0; start < waitingInFullQueue; start += 500) {
    const ids = Array.from({ length: 500 }, (_, index) => `full-${start + index}`);
    await db.dagRun.createMany({
      data: ids.map((id) => ({
        ...run,
        startedBy: noJson,
        id,
        dagRunId: id,
        labels: [...labels, ...baseTexts],
        paramsResolved: resolvedParams.map(String),
      })),
    });
    const at = new Date(0);
    await db.queueItem.createMany({
      data: ids.map((runId) => ({ runId, queueName: dagName, rankAt: at, availableAt: at })),
    });
  }
}

function aFlag(index: number) {
  return { fileName: `bench-${index}`, suspended: false, updatedAt: new Date() };
}

async function timed<T>(count: number, work: (index: number) => Promise<T>) {
  const times: number[] = [];
  const results: T[] = [];
  for (let index = 0; index < count; index += 1) {
    const begun = performance.now();
    results.push(await work(index));
    times.push(performance.now() - begun);
  }
  const sorted = times.toSorted((left, right) => left - right);
  return { medianMs: sorted[Math.floor(count / 2)] ?? 0, slowestMs: sorted.at(-1) ?? 0, results };
}

function perSecond(ms: number): string {
  return String(Math.round(1000 / ms));
}
