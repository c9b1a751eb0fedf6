import type { Prisma } from '../generated/sqlite/client';

const moment = new Date('2026-01-02T03:04:05.678Z');

export function aUser(values: Partial<Prisma.UserCreateInput> = {}): Prisma.UserCreateInput {
  return {
    id: 'user-1',
    username: 'ada',
    usernameKey: 'ada',
    passwordHash: 'hash',
    role: 'admin',
    workspaceAccess: { all: true, grants: [] },
    createdAt: moment,
    updatedAt: moment,
    ...values,
  };
}

export function anApiKey(values: Partial<Prisma.ApiKeyCreateInput> = {}): Prisma.ApiKeyCreateInput {
  return {
    id: 'key-1',
    name: 'deploy',
    role: 'operator',
    workspaceAccess: { all: true, grants: [] },
    keyPrefix: 'weir_abc',
    keyDigest: 'digest-1',
    createdBy: 'user-1',
    createdAt: moment,
    updatedAt: moment,
    ...values,
  };
}

export function aBrowserSession(
  values: Partial<Prisma.BrowserSessionCreateInput> = {},
): Prisma.BrowserSessionCreateInput {
  return {
    id: 'session-1',
    userId: 'user-1',
    tokenVersion: 0,
    tokenDigest: 'digest-1',
    userAgent: '',
    address: '',
    createdAt: moment,
    lastUsedAt: moment,
    expiresAt: moment,
    ...values,
  };
}

export function aDagRun(values: Partial<Prisma.DagRunCreateInput> = {}): Prisma.DagRunCreateInput {
  return {
    id: 'run-1',
    dagName: 'nightly',
    dagRunId: '001',
    status: 'queued',
    params: '',
    paramsResolved: [],
    specText: 'steps: []',
    specHash: 'spec-1',
    labels: ['team=data'],
    triggerType: 'manual',
    createdAt: moment,
    logFile: 'run.log',
    workDir: '.',
    ...values,
  };
}

export function aStep(
  values: Partial<Prisma.DagRunStepCreateWithoutRunInput> = {},
): Prisma.DagRunStepCreateWithoutRunInput {
  return { position: 0, name: 'extract', status: 'not_started', stdoutFile: 'out', stderrFile: 'err', ...values };
}
