/** The rights of a worker on a table of Weir; columns in brackets if it needs only these. */
type Rights = readonly string[];

const all: Rights = ['SELECT', 'INSERT', 'UPDATE', 'DELETE'];

/** The columns of a run that an execution changes. Its spec, workspace, labels and parent never change. */
const changedRunColumns = [
  ...['status', 'error', 'startedAt', 'finishedAt', 'ownerId', 'fencingToken', 'rowVersion', 'stopRequestedAt'],
  ...['queuedAt', 'attempt', 'autoRetryCount', 'retryAt', 'paramsResolved', 'fileVariables'],
];

/** Everything that a role with a worker token may do. What is not named here is refused. */
const tableRights: Readonly<Record<string, Rights>> = {
  _prisma_migrations: ['SELECT'],
  StoreCopy: ['SELECT'],
  DagRun: ['SELECT', 'INSERT', `UPDATE (${quoteAll(changedRunColumns)})`],
  DagRunStep: all,
  DagRunAttempt: ['SELECT', 'INSERT', 'UPDATE'],
  DagHead: ['SELECT', 'INSERT', 'UPDATE'],
  QueueItem: all,
  QueueShare: all,
  QueueDispatch: all,
  DeadLetter: all,
  Queue: ['SELECT'],
  QueuePause: ['SELECT'],
  Runner: all,
  StateEntry: all,
  EventLogEntry: ['INSERT'],
  OutboxEvent: ['INSERT'],
  EventSubscription: [`SELECT (${quoteAll(['id', 'isEnabled', 'events'])})`],
  StoredSecret: ['SELECT', `UPDATE (${quoteAll(['lastResolvedAt'])})`],
  StoredSecretVersion: ['SELECT'],
  RuntimeProfile: ['SELECT'],
  RuntimeProfileEntry: ['SELECT'],
};

const jobRights: Readonly<Record<string, Rights>> = {
  version: ['SELECT'],
  queue: ['SELECT', 'INSERT'],
  job: all,
  job_common: all,
};

/** The statements that give this role exactly these rights and revoke all others. Both names are quoted. */
export function grantStatements(role: string, schema: string): readonly string[] {
  return [
    ...revokeStatements(role, schema),
    `GRANT USAGE ON SCHEMA ${schema}, pgboss TO ${role}`,
    ...grants(tableRights, schema, role),
    ...grants(jobRights, 'pgboss', role),
  ];
}

export function revokeStatements(role: string, schema: string): readonly string[] {
  return [
    `REVOKE ALL ON ALL TABLES IN SCHEMA ${schema}, pgboss FROM ${role}`,
    `REVOKE ALL ON SCHEMA ${schema}, pgboss FROM ${role}`,
  ];
}

function grants(rights: Readonly<Record<string, Rights>>, schema: string, role: string): readonly string[] {
  return Object.entries(rights).map(([table, verbs]) => `GRANT ${verbs.join(', ')} ON ${schema}."${table}" TO ${role}`);
}

function quoteAll(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ');
}
