import type { Prisma } from '../generated/sqlite/client';

/** A table as the copy of a database needs it. */
export interface CopiedTable {
  readonly name: Prisma.ModelName;
  /** The columns of the primary key. */
  readonly key: readonly string[];
  /** The number of rows that are held in memory at a time: fewer if a row may be large. */
  readonly batch: number;
  /** Rows refer to others of the table with a smaller value in this column, which have to be there first. */
  readonly level?: string;
}

/**
 * All tables except the progress of a copy, the turns, which a server creates when it starts, the current turn of each
 * queue, and the words of runs, which a server indexes again. Each table follows those that its rows refer to.
 */
export const copiedTables: readonly CopiedTable[] = [
  { name: 'User', key: ['id'], batch: 2000 },
  { name: 'SecondFactor', key: ['userId'], batch: 2000 },
  { name: 'ChatClient', key: ['id'], batch: 2000 },
  { name: 'ClientConnection', key: ['id'], batch: 2000 },
  { name: 'ApiKey', key: ['id'], batch: 2000 },
  { name: 'WorkerToken', key: ['id'], batch: 2000 },
  { name: 'BrowserSession', key: ['id'], batch: 2000 },
  { name: 'Workspace', key: ['id'], batch: 2000 },
  { name: 'StoredSecret', key: ['id'], batch: 2000 },
  { name: 'StoredSecretVersion', key: ['secretId', 'number'], batch: 200 },
  { name: 'AgentModel', key: ['id'], batch: 2000 },
  { name: 'AgentSoul', key: ['id'], batch: 200 },
  { name: 'AgentMemory', key: ['dagName'], batch: 200 },
  { name: 'AgentConfig', key: ['name'], batch: 2000 },
  { name: 'AgentLogin', key: ['providerId'], batch: 2000 },
  { name: 'DagFlag', key: ['fileName'], batch: 2000 },
  { name: 'DagRevision', key: ['fileName', 'number'], batch: 200 },
  { name: 'Runner', key: ['id'], batch: 2000 },
  { name: 'Queue', key: ['name'], batch: 2000 },
  { name: 'QueuePause', key: ['name'], batch: 2000 },
  { name: 'SchedulerState', key: ['dagName'], batch: 2000 },
  { name: 'Backfill', key: ['id'], batch: 200 },
  { name: 'StateEntry', key: ['scope', 'namespace', 'key'], batch: 200 },
  { name: 'DagRun', key: ['id'], batch: 200, level: 'depth' },
  { name: 'DagRunStep', key: ['runId', 'scope', 'position'], batch: 1000 },
  { name: 'DagRunAttempt', key: ['runId', 'number'], batch: 2000 },
  { name: 'DagHead', key: ['dagName'], batch: 2000 },
  { name: 'QueueItem', key: ['runId'], batch: 2000 },
  { name: 'DeadLetter', key: ['runId'], batch: 2000 },
  { name: 'EventLogEntry', key: ['id'], batch: 2000 },
  { name: 'Webhook', key: ['fileName'], batch: 2000 },
  { name: 'WebhookDelivery', key: ['id'], batch: 200 },
  { name: 'EventSubscription', key: ['id'], batch: 2000 },
  { name: 'EventDelivery', key: ['id'], batch: 200 },
  { name: 'GitSync', key: ['id'], batch: 2000 },
  { name: 'GitSyncItem', key: ['itemId'], batch: 2000 },
  { name: 'AlertMark', key: ['subscriptionId', 'subject'], batch: 2000 },
  { name: 'RuntimeProfile', key: ['id'], batch: 2000 },
  { name: 'RuntimeProfileEntry', key: ['profileId', 'key'], batch: 200 },
  { name: 'AcceptedFile', key: ['dagName', 'key'], batch: 2000 },
  { name: 'Calendar', key: ['name'], batch: 200 },
  { name: 'RemoteNode', key: ['id'], batch: 2000 },
  { name: 'OutboxEvent', key: ['id'], batch: 2000 },
  { name: 'AgentSession', key: ['id'], batch: 200 },
  { name: 'AgentMessage', key: ['sessionId', 'sequence'], batch: 200 },
  { name: 'AuditPending', key: ['id'], batch: 200 },
  { name: 'AuditEntry', key: ['id'], batch: 200 },
  { name: 'AuditChain', key: ['name'], batch: 2000 },
];
