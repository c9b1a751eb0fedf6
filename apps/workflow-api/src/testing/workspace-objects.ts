import { createHash } from 'node:crypto';
import path from 'node:path';
import { Secret } from '@weir/service-kit';
import { temporaryFolder } from '@weir/test-kit';
import { applyMigrations, createDatabase } from '@weir/workflow-db';
import type { RunStatus } from '@weir/workflow-engine/model';
import { aRun, aRunStep } from '@weir/workflow-engine/testing';
import { unaudited } from '../access/audited-operation';
import { createLocalKey, createSealer } from '../encryption';
import { newDelivery, targetSealContext } from '../features/notifications/subscription';
import { createWebhookToken } from '../features/webhooks/webhook-token';
import { createPlatform } from '../platform';
import { localRunFiles } from '../run-files';
import { aSubscription } from './a-subscription';
import { aWebhook } from './a-webhook';
import type { TestWorkflow } from './workflow-api';

const migrations = path.resolve(__dirname, '../../../../packages/workflow-db/prisma/migrations');

/** Creates the stores of a server in a database of their own, and nothing that needs threads or processes. */
export async function createStores() {
  const folder = temporaryFolder();
  const url = `file:${folder.file('weir.db')}`;
  await applyMigrations({ url, folder: migrations });
  const database = await createDatabase({ url, connectionTimeoutMs: 60_000 });
  const platform = createPlatform({
    database,
    databaseUrl: new Secret(url),
    sealer: createSealer(() => Promise.resolve([createLocalKey(Buffer.alloc(32, 7))])),
    runFiles: localRunFiles,
    stepIsolation: undefined,
    parserFile: folder.file('parse-worker.js'),
  });
  const { parsers, outputEvaluator, logSearcher, jsRunner, spawner, fileProgram, createHeartbeat, ...stores } =
    platform;
  const remove = async (): Promise<void> => {
    await database.close();
    await folder.remove();
  };
  return { stores, remove };
}

type Stores = Awaited<ReturnType<typeof createStores>>['stores'];

/** What a workspace has of every kind, under one name. */
export interface WorkspaceObjects {
  /** The name or id of each: of the DAG, its run and step, a document, a secret and so on. */
  readonly mark: string;
  /** Missing for objects outside of workspaces. */
  readonly workspace: string | undefined;
}

export interface ObjectOptions {
  /** Default: a run that waits for an approval. */
  readonly runStatus?: RunStatus;
  /** The keys of the step. Default: an approval. */
  readonly step?: string;
  /** Further keys of the DAG. */
  readonly keys?: string;
}

export function specOf(
  { mark, workspace }: WorkspaceObjects,
  { step = 'run: "true", approval: {}', keys = '' }: Pick<ObjectOptions, 'step' | 'keys'> = {},
): string {
  const labels = workspace === undefined ? '' : `labels: { workspace: ${workspace} }\n`;
  return `${labels}${keys}description: ${mark}\nsteps:\n  - { name: ${mark}, id: ${mark}, ${step} }\n`;
}

const at = new Date('2026-01-02T03:04:05.000Z');
const times = { createdAt: at, updatedAt: at };

/** Stores one object of each kind that operations address. */
export async function addObjects(
  { api, application }: Pick<TestWorkflow, 'api' | 'application'>,
  stores: Stores,
  {
    objects,
    as,
    runStatus = 'waiting',
    ...spec
  }: ObjectOptions & { readonly objects: WorkspaceObjects; readonly as: string },
): Promise<void> {
  const { mark, workspace } = objects;
  const specText = specOf(objects, spec);
  const post = async (address: `/${string}`, body: object): Promise<void> => {
    const { status, body: answer } = await api.send(`POST ${address}`, { as, body });
    if (status >= 400) throw new Error(`${address} was answered ${status}: ${JSON.stringify(answer)}`);
  };
  if (workspace !== undefined && (await stores.workspaces.findById(workspace)) === undefined) {
    await stores.workspaces.insert({ id: workspace, name: workspace, description: '', ...times });
  }
  await post('/dags', { name: mark, spec: specText });
  await post(`/docs${workspace === undefined ? '' : `?workspace=${workspace}`}`, { id: mark, content: mark });
  const run = aRun({
    id: mark,
    dagName: mark,
    fileName: mark,
    specText,
    workspace: workspace ?? null,
    status: runStatus,
    queueName: mark,
    createdAt: new Date(),
    finishedAt: runStatus === 'failed' ? new Date() : null,
  });
  const subId = `${mark}sub`;
  const child = { ...run, id: subId, dagRunId: subId, parentId: mark, parentNode: '0', rootId: mark, depth: 1 };
  const stepStatus = runStatus === 'failed' || runStatus === 'waiting' ? runStatus : 'not_started';
  for (const each of [run, child]) {
    const steps = [aRunStep({ name: mark, status: stepStatus })];
    await application.runs.insert(each, steps, { audit: unaudited, singleton: false });
  }
  await addWebhook(stores, mark);
  await addOwned(stores, objects);
}

/** The token of the webhook of this name. */
export function webhookTokenOf(mark: string) {
  return createWebhookToken(createHash('sha256').update(mark).digest());
}

async function addWebhook({ webhooks, webhookDeliveries }: Stores, mark: string): Promise<void> {
  const { tokenPrefix, tokenDigest } = webhookTokenOf(mark);
  const named = aWebhook({ fileName: mark, id: mark, tokenPrefix, tokenDigest, ...times, createdBy: '' });
  await webhooks.insert(named, unaudited);
  await webhookDeliveries.insert({
    id: mark,
    webhookId: mark,
    receivedAt: at,
    isAuthentic: true,
    outcome: 'started',
    reason: null,
    message: null,
    deliveryId: null,
    replayKey: null,
    headers: {},
    bytes: 2,
    body: '{}',
    address: '',
    dagRunId: mark,
    redeliveryOf: null,
  });
}

async function addOwned(stores: Stores, { mark, workspace }: WorkspaceObjects): Promise<void> {
  const { secrets, notifications, backfills, sealer } = stores;
  const secret = {
    id: mark,
    ref: mark,
    workspace,
    description: mark,
    currentVersion: 0,
    isDisabled: false,
    ...times,
    lastResolvedAt: undefined,
    lastRotatedAt: undefined,
  };
  await secrets.insert(secret, undefined);
  const backfill = {
    id: mark,
    fileName: mark,
    dagName: mark,
    workspace: workspace ?? null,
    status: 'active',
    error: null,
    author: mark,
    createdAt: at,
    endedAt: null,
    from: at,
    to: at,
    maxActive: 1,
    params: null,
    occurrences: [at],
    position: 0,
    started: 0,
    existing: 0,
  } as const;
  await backfills.insert(backfill, 1);
  const target = await sealer.seal(JSON.stringify({ url: 'https://x.example/' }), targetSealContext(mark));
  const owner = { id: mark, name: mark, dagName: mark, workspace: workspace ?? null };
  await notifications.insert(aSubscription({ ...owner, ...target }), unaudited);
  const delivery = { id: mark, type: 'run.failed', payload: mark } as const;
  await notifications.insertDelivery(newDelivery({ id: mark, digestSeconds: null }, delivery, at));
}
