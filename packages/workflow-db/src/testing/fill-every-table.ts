import type { Db } from '../db';
import { Prisma } from '../generated/sqlite/client';
import { aBrowserSession, aDagRun, anApiKey, aStep, aUser } from './test-rows';

const moment = new Date('2026-03-29T01:02:03.004Z');
const later = new Date('2026-10-25T23:59:59.999Z');

/** Rows in every table, with values that databases keep in different ways: times, JSON, booleans, none, any script. */
export async function fillEveryTable(db: Db): Promise<void> {
  await db.user.create({ data: aUser({ username: 'Žofie 🚀', isDisabled: true }) });
  await db.apiKey.create({ data: anApiKey({ expiresAt: later, description: '' }) });
  await db.browserSession.create({ data: aBrowserSession({ userAgent: 'O\'Hara \\ "quoted"\n' }) });
  await db.workspace.create({ data: { id: 'w', name: 'ops', createdAt: moment, updatedAt: later } });
  await db.dagFlag.create({ data: { fileName: 'nightly', suspended: true, updatedAt: moment } });
  for (const number of [1, 2, 10]) {
    const text = `steps: [${number}]`;
    await db.dagRevision.create({ data: { fileName: 'nightly', number, change: 'updated', text, createdAt: moment } });
  }
  await db.runner.create({ data: { id: 'r', host: 'h', pid: 7, startedAt: moment, heartbeatAt: moment } });
  await db.storedSecret.create({
    data: {
      ...{ id: 's', workspace: '', ref: 'payments/api', description: 'é', currentVersion: 1, isDisabled: true },
      ...{ createdAt: moment, updatedAt: later, lastRotatedAt: later },
      versions: { create: { number: 1, keyId: 'k', text: 'a.b', createdAt: later, createdBy: 'ada' } },
    },
  });
  await db.queue.create({ data: { name: 'gpu', maxConcurrency: 2 } });
  await db.queuePause.create({ data: { name: 'gpu', pausedAt: moment, pausedBy: 'ada' } });
  await db.schedulerState.create({ data: { dagName: '', watermarkAt: moment } });
  await db.backfill.create({
    data: {
      ...{ id: 'b', fileName: 'nightly', dagName: 'nightly', status: 'running', author: 'ada', createdAt: moment },
      ...{ fromTime: moment, toTime: later, maxActive: 1, occurrences: '[]', position: 0, started: 0, existing: 0 },
    },
  });
  for (const value of [
    Prisma.JsonNull,
    0,
    0.1234567890123456,
    1e300,
    '',
    '7',
    [null, { b: 1, a: [1.5, 'x'] }],
    false,
  ]) {
    const key = JSON.stringify(value === Prisma.JsonNull ? null : value);
    await db.stateEntry.create({
      data: { scope: 'dag', namespace: 'nightly', key, value, version: 1, updatedAt: moment },
    });
  }
  await fillRuns(db);
  await fillAuditLog(db);
  await db.webhook.create({
    data: {
      ...{ fileName: 'nightly', id: 'w', tokenPrefix: 'weir_wh_abcd', tokenDigest: 'digest', isEnabled: true },
      ...{ createdAt: moment, updatedAt: later, createdBy: 'user-1' },
    },
  });
  await db.eventLogEntry.create({
    data: {
      ...{ id: 'e', occurredAt: moment, recordedAt: later, kind: 'run', type: 'started', sourceInstance: 'i' },
      ...{ dagName: 'nightly', dagRunId: '001', attempt: 1, data: { z: 1, a: { c: [], b: {} } } },
    },
  });
}

async function fillAuditLog(db: Db): Promise<void> {
  await db.auditPending.create({ data: { id: 'p', recordedAt: moment, content: '{}' } });
  await db.auditEntry.create({
    data: {
      ...{ position: 1, id: 'a', timestamp: moment, category: 'user', action: 'user_create', result: 'success' },
      ...{ userId: 'user-1', username: 'ada', credentialType: 'token', correlationId: 'c', details: '{}' },
      ...{ previousHash: '0', hash: '1' },
    },
  });
  await db.auditChain.create({
    data: { name: 'audit', prunedPosition: 0, prunedHash: '0', lastPosition: 1, lastHash: '1' },
  });
}

async function fillRuns(db: Db): Promise<void> {
  const steps = [
    aStep({ outputs: { total: 3, nested: { b: null, a: [true] } }, startedAt: moment, exitCode: 0 }),
    aStep({ position: 1, name: 'load', outputs: Prisma.JsonNull, gate: { approvers: ['ada'] } }),
    aStep({ position: 0, scope: 'each/1', name: 'load' }),
  ];
  await db.dagRun.create({ data: aDagRun({ startedAt: moment, priority: -5, steps: { create: steps } }) });
  const parent = { connect: { id: 'run-1' } };
  await db.dagRun.create({
    data: aDagRun({ id: 'run-0', dagRunId: '002', depth: 1, parent, baseTexts: ['a: 1'], queueName: 'gpu' }),
  });
  await db.dagHead.create({ data: { dagName: 'nightly', latestRunId: 'run-1' } });
  await db.dagRunAttempt.create({
    data: { runId: 'run-1', number: 1, attempt: 1, cause: 'start', reusedSteps: 0, startedAt: moment },
  });
  await db.deadLetter.create({
    data: { runId: 'run-0', queueName: 'etl', workspace: '', reason: 'worker_lost', failures: 10, at: new Date(0) },
  });
  await db.queueItem.create({
    data: { runId: 'run-0', queueName: 'gpu', rankAt: moment, availableAt: later, isUnlimited: true },
  });
}
