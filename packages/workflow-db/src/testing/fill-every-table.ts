import type { Db } from '../db';
import { Prisma } from '../generated/sqlite/client';
import { aBrowserSession, aDagRun, anApiKey, aStep, aUser } from './test-rows';

const moment = new Date('2026-03-29T01:02:03.004Z');
const later = new Date('2026-10-25T23:59:59.999Z');

/** Fills every table with values that databases store in different ways: times, JSON, booleans, none, any script. */
export async function fillEveryTable(db: Db): Promise<void> {
  await db.user.create({ data: aUser({ username: 'Žofie 🚀', isDisabled: true }) });
  await db.apiKey.create({ data: anApiKey({ expiresAt: later, description: '' }) });
  await db.browserSession.create({ data: aBrowserSession({ userAgent: 'O\'Hara \\ "quoted"\n' }) });
  await db.secondFactor.create({
    data: {
      userId: 'user-1',
      keyId: 'k',
      text: 't',
      confirmedAt: moment,
      lastStep: 58_000_000,
      wrongCodes: 1,
      recoveryDigests: ['a', 'b'],
      wrongSince: later,
      revision: 2,
      createdAt: moment,
    },
  });
  await db.chatClient.create({
    data: { id: 'c', name: 'Клиент', redirectAddresses: ['http://127.0.0.1/'], createdAt: moment, lastUsedAt: later },
  });
  await db.clientConnection.create({
    data: {
      id: 'cc',
      userId: 'user-1',
      clientId: 'c',
      tokenVersion: 1,
      access: 'read',
      resource: 'https://weir.example.com/mcp',
      redirectAddress: 'http://127.0.0.1:7/',
      codeChallenge: 'a',
      codeDigest: 'b',
      codeUsedAt: moment,
      accessDigest: 'c',
      accessExpiresAt: later,
      refreshDigest: null,
      createdAt: moment,
      lastUsedAt: moment,
      expiresAt: later,
    },
  });
  await db.workspace.create({ data: { id: 'w', name: 'ops', createdAt: moment, updatedAt: later } });
  await db.dagFlag.create({ data: { fileName: 'nightly', suspended: true, updatedAt: moment } });
  for (const number of [1, 2, 10]) {
    const text = `steps: [${number}]`;
    await db.dagRevision.create({ data: { fileName: 'nightly', number, change: 'updated', text, createdAt: moment } });
  }
  await db.runner.create({ data: { id: 'r', host: 'h', pid: 7, startedAt: moment, heartbeatAt: moment } });
  await db.storedSecret.create({
    data: {
      id: 's',
      workspace: '',
      ref: 'payments/api',
      description: 'é',
      currentVersion: 1,
      isDisabled: true,
      createdAt: moment,
      updatedAt: later,
      lastRotatedAt: later,
      versions: { create: { number: 1, keyId: 'k', text: 'a.b', createdAt: later, createdBy: 'ada' } },
    },
  });
  await db.queue.create({ data: { name: 'gpu', maxConcurrency: 2 } });
  await db.queuePause.create({ data: { name: 'gpu', pausedAt: moment, pausedBy: 'ada' } });
  await db.schedulerState.create({ data: { dagName: '', watermarkAt: moment } });
  await db.backfill.create({
    data: {
      id: 'b',
      fileName: 'nightly',
      dagName: 'nightly',
      status: 'running',
      author: 'ada',
      createdAt: moment,
      fromTime: moment,
      toTime: later,
      maxActive: 1,
      occurrences: '[]',
      position: 0,
      started: 0,
      existing: 0,
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
  await fillAgentSettings(db);
  await fillGitSync(db);
  await fillAgentSessions(db);
  await db.webhook.create({
    data: {
      fileName: 'nightly',
      id: 'w',
      tokenPrefix: 'weir_wh_abcd',
      tokenDigest: 'digest',
      isEnabled: true,
      createdAt: moment,
      updatedAt: later,
      createdBy: 'user-1',
      verification: { style: 'github' },
      secretKeyId: 'k',
      secretText: 'a.b',
      paramsFilter: '{a: .b}',
    },
  });
  await db.webhookDelivery.create({
    data: {
      id: 'd',
      webhookId: 'w',
      receivedAt: later,
      isAuthentic: true,
      outcome: 'started',
      headers: { a: 'é' },
      bytes: 2,
      body: '{}',
      address: '::1',
      dagRunId: 'r',
      replayKey: 'k',
      deliveryId: 'x',
    },
  });
  await db.eventSubscription.create({
    data: {
      id: 's',
      name: 'é',
      kind: 'slack',
      events: ['run.failed'],
      host: 'h',
      keyId: 'k',
      text: 'a.b',
      isEnabled: false,
      disabledReason: 'x',
      failingSince: moment,
      createdAt: moment,
      updatedAt: later,
      createdBy: 'ada',
      deliveries: {
        create: { id: 'e', type: 'run.failed', payload: '{}', status: 'pending', attempts: 1, createdAt: later },
      },
      marks: { create: { subject: 'stale:é', at: later } },
    },
  });
  await db.runtimeProfile.create({
    data: {
      id: 'profile-1',
      name: 'staging',
      description: 'é',
      isDisabled: false,
      isProtected: true,
      createdAt: moment,
      updatedAt: later,
      entries: {
        createMany: {
          data: [
            { key: 'HOST', value: 'é', createdAt: moment, updatedAt: later },
            { key: 'TOKEN', keyId: 'k', text: 'a.b', createdAt: moment, updatedAt: later },
          ],
        },
      },
    },
  });
  await db.acceptedFile.create({
    data: {
      dagName: 'd',
      key: 'k',
      place: 'p',
      path: '/é',
      mark: '1:2',
      dagRunId: 'r',
      acceptedAt: moment,
      seenAt: later,
    },
  });
  await db.calendar.create({
    data: { name: 'c', definition: '{"é":1}', revision: '"r"', createdAt: moment, updatedAt: later, updatedBy: 'ada' },
  });
  await db.remoteNode.create({
    data: {
      id: 'n',
      name: 'é',
      description: '',
      apiBaseUrl: 'https://n/api/v1',
      authType: 'token',
      keyId: 'k',
      text: 'a.b',
      skipTlsVerify: true,
      createdAt: moment,
      updatedAt: later,
      createdBy: 'ada',
    },
  });
  await db.workerToken.create({
    data: {
      id: 't',
      name: 'gpu-1',
      tokenHash: 'hash',
      labels: '{"gpu":"é"}',
      createdAt: moment,
      createdBy: 'ada',
      lastUsedAt: later,
    },
  });
  await db.outboxEvent.create({
    data: { id: 'o', occurredAt: later, runId: 'r', dagName: 'é', dagRunId: 'x', status: 'failed', error: '🚀' },
  });
  await db.eventLogEntry.create({
    data: {
      id: 'e',
      occurredAt: moment,
      recordedAt: later,
      kind: 'run',
      type: 'started',
      sourceInstance: 'i',
      dagName: 'nightly',
      dagRunId: '001',
      attempt: 1,
      data: { z: 1, a: { c: [], b: {} } },
    },
  });
}

async function fillAuditLog(db: Db): Promise<void> {
  await db.auditPending.create({ data: { id: 'p', recordedAt: moment, content: '{}' } });
  await db.auditEntry.create({
    data: {
      position: 1,
      id: 'a',
      timestamp: moment,
      category: 'user',
      action: 'user_create',
      result: 'success',
      userId: 'user-1',
      username: 'ada',
      credentialType: 'token',
      correlationId: 'c',
      details: '{}',
      previousHash: '0',
      hash: '1',
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

async function fillAgentSettings(db: Db): Promise<void> {
  const times = { createdAt: moment, updatedAt: later };
  await db.agentModel.create({
    data: {
      id: 'big',
      name: 'Größer',
      provider: 'local',
      model: 'm',
      baseUrl: 'http://127.0.0.1:1/v1',
      description: '',
      keyId: 'k',
      keyText: 'a.b',
      facts: { inputCostPer1M: 0.15, supportsThinking: true },
      ...times,
    },
  });
  await db.agentSoul.create({ data: { id: 's', name: 'S', description: '', content: 'Be brief.\n', ...times } });
  await db.agentMemory.create({ data: { dagName: '', content: 'é', updatedAt: later } });
  await db.agentConfig.create({
    data: {
      name: 'agent',
      isEnabled: false,
      defaultModelId: 'big',
      updatedAt: later,
      toolPolicy: { tools: { a: false } },
      webSearch: { enabled: true },
      limits: {},
    },
  });
  await db.agentLogin.create({
    data: { providerId: 'p', keyId: 'k', text: 'a.b', expiresAt: later, canRefresh: true, connectedAt: moment },
  });
}

async function fillGitSync(db: Db): Promise<void> {
  await db.gitSync.create({ data: { id: 'sync', settings: { branch: 'é' }, lastSyncAt: later, lastError: '🚀' } });
  await db.gitSyncItem.create({
    data: { itemId: 'nightly', kind: 'dag', filePath: 'nightly.yaml', baseHash: 'a', baseAt: moment, missingAt: later },
  });
}

async function fillAgentSessions(db: Db): Promise<void> {
  await db.agentSession.create({
    data: {
      id: 'talk',
      ownerId: 'user:ada',
      title: 'Why?',
      dagName: 'nightly',
      modelId: 'big',
      soulId: 's',
      createdAt: moment,
      updatedAt: later,
      lastSequence: 1,
      totalTokens: 12,
      totalCost: 0.25,
      partial: 'Bec',
      prompt: '{}',
      promptId: 'p',
      fence: 2,
      leaseOwner: 'server',
      leaseUntil: later,
    },
  });
  const data = {
    sessionId: 'talk',
    sequence: 1,
    id: 'm',
    type: 'user',
    content: 'Why?',
    data: '{}',
    createdAt: moment,
  };
  await db.agentMessage.create({ data });
}
