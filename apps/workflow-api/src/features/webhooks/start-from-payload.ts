import { createHash } from 'node:crypto';
import { AppError, isAppError } from '@weir/foundation';
import { WebhookRequest } from '@weir/workflow-contract/schemas';
import type { RunActor } from '@weir/workflow-engine/model';
import type { Audited } from '../../access/audited-operation';
import type { OutputEvaluator } from '../../output-thread';
import type { Principal } from '../../access/principal';
import type { StartRun } from '../runs';
import { createDagAccess, type DagAccessDependencies } from '../dags';
import type { StartedRun, WebhookCall } from './call-log';
import { mapPayload } from './map-payload';
import { findProfile } from './verify-call';
import type { Webhook } from './webhook';
import type { WebhookDeliveryRepository } from './webhook-delivery';
import { webhookDeliveryRepeated, webhookProfileUnsigned } from './webhook-errors';

export interface PayloadStartPorts extends DagAccessDependencies {
  readonly webhookDeliveries: Pick<WebhookDeliveryRepository, 'hasStarted'>;
  readonly startRun: StartRun;
  readonly outputEvaluator: OutputEvaluator;
}

/** The caller may run every DAG, because the secret of a webhook permits running the webhook's own DAG. */
export const webhookCaller: Principal = {
  kind: 'anonymous',
  id: '',
  name: 'webhook',
  role: 'operator',
  workspaceAccess: { all: true, grants: [] },
};
export interface FirstCall extends Audited, Pick<WebhookCall, 'json' | 'headers'> {
  /** Missing for a call that cannot be recognised when it is repeated. */
  readonly replayKey: string | null;
}

/** A repeated call has the same run id, so that a kill between the start and its record starts no second run. */
export async function startOnce(
  dependencies: PayloadStartPorts,
  webhook: Webhook,
  { json, headers, replayKey, audit }: FirstCall,
): Promise<StartedRun> {
  const { payload, dagRunId } = readEnvelope(webhook, json);
  if (findProfile(headers) !== undefined && !isOwnFormat(webhook)) throw webhookProfileUnsigned();
  const startedBy: RunActor = { kind: 'webhook', id: webhook.id, name: webhook.fileName };
  const call = { payload, headers, startedBy, audit };
  if (replayKey === null) return startFromPayload(dependencies, webhook, { ...call, dagRunId });
  if (await dependencies.webhookDeliveries.hasStarted(webhook.id, replayKey)) throw webhookDeliveryRepeated();
  const derived = `webhook-${createHash('sha256').update(`${webhook.id} ${replayKey}`).digest('hex').slice(0, 32)}`;
  try {
    return await startFromPayload(dependencies, webhook, { ...call, dagRunId: dagRunId ?? derived });
  } catch (error) {
    const isRepeated = dagRunId === undefined && isAppError(error) && error.reason === 'dag_run_exists';
    throw isRepeated ? webhookDeliveryRepeated() : error;
  }
}

/** Senders that write the body for Weir may name the run and wrap the payload; the body of a known service is the payload. */
export function readEnvelope(webhook: Webhook, json: Readonly<Record<string, unknown>>) {
  if (!isOwnFormat(webhook)) return { payload: json, dagRunId: undefined };
  const parsed = WebhookRequest.safeParse(json);
  if (!parsed.success) {
    const problem = parsed.error.issues[0];
    const where = ['body', ...(problem?.path ?? [])].join('.');
    throw new AppError('invalid_request', `${where}: ${problem?.message ?? 'is not valid'}`, {
      reason: 'request_invalid',
    });
  }
  return { payload: parsed.data.payload ?? json, dagRunId: parsed.data.dagRunId };
}

/** Whether the sender writes its calls for Weir, and proves with the body what else it asks for. */
function isOwnFormat({ verification }: Webhook): boolean {
  return ['token', 'hmac'].includes(verification?.style ?? 'token');
}

interface Start extends Audited, Pick<WebhookCall, 'headers'> {
  readonly payload: unknown;
  readonly dagRunId?: string | undefined;
  readonly startedBy: RunActor;
}

export async function startFromPayload(
  dependencies: PayloadStartPorts,
  { fileName, paramsFilter }: Webhook,
  { payload, headers, dagRunId, startedBy, audit }: Start,
): Promise<StartedRun> {
  const source = await createDagAccess(dependencies).findRunnable(fileName, webhookCaller);
  const mapped = await mapPayload(dependencies.outputEvaluator, { payload, headers }, paramsFilter);
  const forwarded = source.dag.webhook && forwardHeaders(headers, source.dag.webhook.forwardHeaders);
  const params = JSON.stringify({ ...mapped, ...(forwarded && { WEBHOOK_HEADERS: JSON.stringify(forwarded) }) });
  const profile = findProfile(headers)?.name;
  return dependencies.startRun(source, { dagRunId, params, profile, triggerType: 'webhook', startedBy, audit });
}

/** Returns the values of each header that the call has, by its name in lower case. */
function forwardHeaders(headers: WebhookCall['headers'], names: readonly string[]) {
  const entries = names.flatMap((name) => {
    const value = headers[name];
    return value === undefined ? [] : [[name, [value].flat()] as const];
  });
  return Object.fromEntries(entries);
}
