import type { AuditAction, Endpoint } from '@weir/http-contract';
import * as agentConfig from './agent/config-endpoints';
import * as agentMemory from './agent/memory-endpoints';
import * as agentModels from './agent/model-endpoints';
import * as agentProviders from './agent/provider-endpoints';
import * as agentSouls from './agent/soul-endpoints';
import * as agentSessions from './agent-sessions/endpoints';
import * as apiKeys from './api-keys/endpoints';
import * as auth from './auth/endpoints';
import { checkJobToken, listJobRules } from './auth/job-sign-in-endpoints';
import * as connections from './auth/connection-endpoints';
import { testOidc } from './auth/oidc-test-endpoint';
import * as secondFactor from './auth/second-factor-endpoints';
import * as calendars from './calendars/endpoints';
import * as attempts from './dag-runs/attempt-endpoints';
import * as artifacts from './dag-runs/artifact-endpoints';
import * as decisions from './dag-runs/decision-endpoints';
import * as dagRuns from './dag-runs/endpoints';
import { editRetryDagRun, previewEditRetryDagRun } from './dag-runs/edit-retry-endpoints';
import * as explanations from './dag-runs/explain-endpoints';
import { listFailures } from './dag-runs/failure-endpoint';
import * as logDownloads from './dag-runs/log-download-endpoints';
import { changeDagRuns } from './dag-runs/bulk-endpoint';
import { countDagRuns } from './dag-runs/count-endpoint';
import * as logFollows from './dag-runs/log-follow-endpoints';
import * as logLines from './dag-runs/log-lines-endpoints';
import * as logSearches from './dag-runs/log-search-endpoints';
import { listOpenDecisions } from './dag-runs/open-decision-endpoint';
import { rescheduleDagRun } from './dag-runs/rerun-endpoints';
import * as stepOperations from './dag-runs/step-endpoints';
import * as runInsights from './dag-runs/run-insight-endpoints';
import * as runSpecs from './dag-runs/run-spec-endpoints';
import { dryRunDag, dryRunSpec } from './dag-runs/dry-run-endpoints';
import { enqueueDagRunFromSpec, executeDagRunFromSpec } from './dag-runs/spec-endpoints';
import * as families from './dag-runs/family-endpoints';
import * as backfills from './dags/backfill-endpoints';
import { changeDags } from './dags/bulk-endpoint';
import * as dags from './dags/endpoints';
import { explainDag } from './dags/explain-endpoint';
import { remoteNode } from './common/parameters';
import * as dagFiles from './dags/file-endpoints';
import * as dagHistory from './dags/history-endpoints';
import * as dagInsights from './dags/insight-endpoints';
import * as dagLabels from './dags/label-endpoints';
import { getDagRecentParams } from './dags/recent-params-endpoint';
import * as dagRevisions from './dags/revision-endpoints';
import * as dagStarts from './dags/run-endpoints';
import * as notifications from './notifications/endpoints';
import * as webhookDeliveries from './webhooks/delivery-endpoints';
import * as webhooks from './webhooks/endpoints';
import * as auditLog from './audit/endpoints';
import { receiveEvents } from './events/cloud-events-endpoint';
import { listEventLogs } from './events/event-log-endpoints';
import { changeStreamTopics, streamEvents } from './events/stream-endpoints';
import { getMetrics } from './monitoring/endpoints';
import * as queues from './queues/endpoints';
import * as docs from './docs/endpoints';
import * as docSearch from './docs/search-endpoints';
import * as remoteNodes from './remote-nodes/endpoints';
import * as search from './search/endpoints';
import * as profiles from './profiles/endpoints';
import * as secrets from './secrets/endpoints';
import * as settings from './settings/endpoints';
import * as sync from './sync/endpoints';
import * as syncItems from './sync/item-endpoints';
import * as system from './system/endpoints';
import { getResourceHistory } from './system/resource-endpoint';
import * as licenses from './system/license-endpoints';
import * as services from './system/service-endpoints';
import * as users from './users/endpoints';
import * as workerTokens from './worker-tokens/endpoints';
import {
  createWorkspace,
  deleteWorkspace,
  getWorkspace,
  listWorkspaces,
  updateWorkspace,
} from './workspaces/endpoints';
import { getPermissions } from './workspaces/permission-endpoint';

/** An operation of another method than GET says what the audit log calls its change, or that it changes nothing. */
export type AuditedEndpoint = Endpoint & ({ readonly method: 'GET' } | { readonly audit: AuditAction | 'no-change' });

/** Every operation of the workflow API, by name, in the order of the description. */
export const workflowContract = {
  ...system,
  ...auth,
  ...connections,
  ...secondFactor,
  testOidc,
  listJobRules,
  checkJobToken,
  ...users,
  ...apiKeys,
  ...workerTokens,
  ...secrets,
  ...profiles,
  ...dags,
  ...dagFiles,
  ...dagLabels,
  ...dagHistory,
  ...dagInsights,
  explainDag,
  getDagRecentParams,
  ...dagRevisions,
  ...backfills,
  changeDags,
  ...calendars,
  ...search,
  ...docSearch,
  ...docs,
  ...dagStarts,
  ...dagRuns,
  countDagRuns,
  listFailures,
  changeDagRuns,
  executeDagRunFromSpec,
  dryRunDag,
  dryRunSpec,
  enqueueDagRunFromSpec,
  ...runSpecs,
  ...runInsights,
  ...logDownloads,
  ...logLines,
  ...logFollows,
  ...logSearches,
  rescheduleDagRun,
  previewEditRetryDagRun,
  editRetryDagRun,
  ...stepOperations,
  ...decisions,
  ...families,
  ...attempts,
  ...explanations,
  listOpenDecisions,
  ...artifacts,
  ...queues,
  streamEvents,
  changeStreamTopics,
  listEventLogs,
  receiveEvents,
  getMetrics,
  ...licenses,
  ...services,
  getResourceHistory,
  ...settings,
  ...agentConfig,
  ...agentMemory,
  ...agentModels,
  ...agentProviders,
  ...agentSouls,
  listWorkspaces,
  createWorkspace,
  getWorkspace,
  updateWorkspace,
  deleteWorkspace,
  ...remoteNodes,
  ...auditLog,
  ...webhooks,
  ...webhookDeliveries,
  ...notifications,
  ...sync,
  ...syncItems,
  ...agentSessions,
  getPermissions,
} as const satisfies Record<string, AuditedEndpoint>;

/**
 * Whether the operation can be passed to another node, which its parameter says. Schemas are compared by identity, so a
 * program that loads the contract apart needs this of the same copy.
 */
export function takesRemoteNode({ query }: Pick<Endpoint, 'query'>): boolean {
  return query?.shape.remoteNode === remoteNode;
}

const categoriesOfRights: ReadonlySet<string> = new Set([
  'api_key',
  'event_subscription',
  'profile',
  'remote_node',
  'secret',
  'user',
  'webhook',
  'worker_token',
  'workspace',
]);

/**
 * Whether the operation changes who may do or see what. A field that it does not know might have been meant as a limit,
 * so such a request is refused. The call of a webhook is none: its body is that of another system.
 */
export function changesRights({ audit, access }: Pick<Endpoint, 'audit' | 'access'>): boolean {
  return typeof audit === 'object' && access !== 'public' && categoriesOfRights.has(audit.category);
}
