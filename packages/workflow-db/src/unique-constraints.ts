/**
 * Every unique constraint and primary key by its name, which is the same on both databases. SQLite reports a violation
 * by table and columns, PostgreSQL by name. A spec compares this list with the migrations.
 */
export const uniqueConstraints = {
  user_username_key: { model: 'User', fields: ['username'] },
  user_external_id_key: { model: 'User', fields: ['externalId'] },
  api_key_name_key: { model: 'ApiKey', fields: ['name'] },
  api_key_key_digest_key: { model: 'ApiKey', fields: ['keyDigest'] },
  browser_session_token_digest_key: { model: 'BrowserSession', fields: ['tokenDigest'] },
  dag_head_latest_run_id_key: { model: 'DagHead', fields: ['latestRunId'] },
  dag_run_dag_name_dag_run_id_key: { model: 'DagRun', fields: ['dagName', 'dagRunId'] },
  dag_run_step_run_id_scope_name_key: { model: 'DagRunStep', fields: ['runId', 'scope', 'name'] },
  runtime_profile_name_key: { model: 'RuntimeProfile', fields: ['name'] },
  stored_secret_workspace_ref_key: { model: 'StoredSecret', fields: ['workspace', 'ref'] },
  backfill_active_for_key: { model: 'Backfill', fields: ['activeFor'] },
  workspace_name_key: { model: 'Workspace', fields: ['name'] },
  audit_entry_position_key: { model: 'AuditEntry', fields: ['position'] },
  remote_node_name_key: { model: 'RemoteNode', fields: ['name'] },
  RemoteNode_pkey: { model: 'RemoteNode', fields: ['id'] },
  worker_token_name_key: { model: 'WorkerToken', fields: ['name'] },
  worker_token_token_hash_key: { model: 'WorkerToken', fields: ['tokenHash'] },
  WorkerToken_pkey: { model: 'WorkerToken', fields: ['id'] },
  webhook_id_key: { model: 'Webhook', fields: ['id'] },
  agent_model_name_key: { model: 'AgentModel', fields: ['name'] },
  agent_soul_name_key: { model: 'AgentSoul', fields: ['name'] },
  AgentModel_pkey: { model: 'AgentModel', fields: ['id'] },
  AgentSoul_pkey: { model: 'AgentSoul', fields: ['id'] },
  AgentMemory_pkey: { model: 'AgentMemory', fields: ['dagName'] },
  AgentConfig_pkey: { model: 'AgentConfig', fields: ['name'] },
  AgentLogin_pkey: { model: 'AgentLogin', fields: ['providerId'] },
  OutboxEvent_pkey: { model: 'OutboxEvent', fields: ['id'] },
  EventSubscription_pkey: { model: 'EventSubscription', fields: ['id'] },
  AlertMark_pkey: { model: 'AlertMark', fields: ['subscriptionId', 'subject'] },
  EventDelivery_pkey: { model: 'EventDelivery', fields: ['id'] },
  WebhookDelivery_pkey: { model: 'WebhookDelivery', fields: ['id'] },
  GitSync_pkey: { model: 'GitSync', fields: ['id'] },
  GitSyncItem_pkey: { model: 'GitSyncItem', fields: ['itemId'] },
  Webhook_pkey: { model: 'Webhook', fields: ['fileName'] },
  User_pkey: { model: 'User', fields: ['id'] },
  SecondFactor_pkey: { model: 'SecondFactor', fields: ['userId'] },
  ApiKey_pkey: { model: 'ApiKey', fields: ['id'] },
  ChatClient_pkey: { model: 'ChatClient', fields: ['id'] },
  ClientConnection_pkey: { model: 'ClientConnection', fields: ['id'] },
  BrowserSession_pkey: { model: 'BrowserSession', fields: ['id'] },
  StoredSecret_pkey: { model: 'StoredSecret', fields: ['id'] },
  StoredSecretVersion_pkey: { model: 'StoredSecretVersion', fields: ['secretId', 'number'] },
  AuditChain_pkey: { model: 'AuditChain', fields: ['name'] },
  AuditEntry_pkey: { model: 'AuditEntry', fields: ['id'] },
  AuditPending_pkey: { model: 'AuditPending', fields: ['id'] },
  Backfill_pkey: { model: 'Backfill', fields: ['id'] },
  DagFlag_pkey: { model: 'DagFlag', fields: ['fileName'] },
  DagHead_pkey: { model: 'DagHead', fields: ['dagName'] },
  DagRevision_pkey: { model: 'DagRevision', fields: ['fileName', 'number'] },
  EventLogEntry_pkey: { model: 'EventLogEntry', fields: ['id'] },
  DagRun_pkey: { model: 'DagRun', fields: ['id'] },
  RunTextDue_pkey: { model: 'RunTextDue', fields: ['createdAt', 'runId', 'rowVersion'] },
  RunText_pkey: { model: 'RunText', fields: ['runId'] },
  run_text_position_key: { model: 'RunText', fields: ['position'] },
  DagRunAttempt_pkey: { model: 'DagRunAttempt', fields: ['runId', 'number'] },
  DagRunStep_pkey: { model: 'DagRunStep', fields: ['runId', 'scope', 'position'] },
  Queue_pkey: { model: 'Queue', fields: ['name'] },
  QueueItem_pkey: { model: 'QueueItem', fields: ['runId'] },
  DeadLetter_pkey: { model: 'DeadLetter', fields: ['runId'] },
  QueueShare_pkey: { model: 'QueueShare', fields: ['queueName', 'workspace'] },
  QueuePause_pkey: { model: 'QueuePause', fields: ['name'] },
  QueueDispatch_pkey: { model: 'QueueDispatch', fields: ['queueName', 'selector'] },
  Runner_pkey: { model: 'Runner', fields: ['id'] },
  Workspace_pkey: { model: 'Workspace', fields: ['id'] },
  StateEntry_pkey: { model: 'StateEntry', fields: ['scope', 'namespace', 'key'] },
  SchedulerState_pkey: { model: 'SchedulerState', fields: ['dagName'] },
  AgentSession_pkey: { model: 'AgentSession', fields: ['id'] },
  AgentMessage_pkey: { model: 'AgentMessage', fields: ['sessionId', 'sequence'] },
  RuntimeProfile_pkey: { model: 'RuntimeProfile', fields: ['id'] },
  RuntimeProfileEntry_pkey: { model: 'RuntimeProfileEntry', fields: ['profileId', 'key'] },
  AcceptedFile_pkey: { model: 'AcceptedFile', fields: ['dagName', 'key'] },
  Calendar_pkey: { model: 'Calendar', fields: ['name'] },
  StoreCopy_pkey: { model: 'StoreCopy', fields: ['tableName'] },
} as const satisfies Record<string, { readonly model: string; readonly fields: readonly string[] }>;

export type UniqueConstraintName = keyof typeof uniqueConstraints;
export type ModelName = (typeof uniqueConstraints)[UniqueConstraintName]['model'];

export function isUniqueConstraintName(name: string): name is UniqueConstraintName {
  return Object.hasOwn(uniqueConstraints, name);
}

/** The constraint on these columns of a table, in any order. */
export function findUniqueConstraint(table: string, fields: readonly string[]): UniqueConstraintName | undefined {
  const expected = fields.toSorted().join();
  return Object.keys(uniqueConstraints)
    .filter(isUniqueConstraintName)
    .find((name) => {
      const constraint = uniqueConstraints[name];
      return constraint.model === table && constraint.fields.toSorted().join() === expected;
    });
}
