import type { AuditedOperation } from '../../access/audited-operation';
import type { SealedRows } from '../../encryption';
import type { WebhookDetails, WebhookVerification } from '@weir/workflow-contract/schemas';

/** Starts the runs of a DAG by calls from outside. Only a digest of its token is stored. */
export interface Webhook {
  /** The file name of the DAG, which has at most one webhook. */
  readonly fileName: string;
  readonly id: string;
  /** The first 12 characters of the token. */
  readonly tokenPrefix: string;
  readonly tokenDigest: string;
  readonly isEnabled: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Id of the principal that created it. */
  readonly createdBy: string;
  readonly lastUsedAt: Date | null;
  /** Null when callers are verified by the token. */
  readonly verification: WebhookVerification | null;
  /** The stored secret that signatures are checked with; null for the webhook's own. */
  readonly secretRef: string | null;
  /** The webhook's own sealed secret. */
  readonly secretKeyId: string | null;
  readonly secretText: string | null;
  readonly paramsFilter: string | null;
  readonly callsPerMinute: number;
}

type Changeable =
  | 'tokenPrefix'
  | 'tokenDigest'
  | 'isEnabled'
  | 'verification'
  | 'secretRef'
  | 'secretKeyId'
  | 'secretText'
  | 'paramsFilter'
  | 'callsPerMinute';

export type WebhookChanges = Pick<Webhook, 'updatedAt'> & Partial<Pick<Webhook, Changeable>>;

export interface WebhookRepository extends SealedRows {
  /** Lists by file name. */
  list(): Promise<readonly Webhook[]>;
  find(fileName: string): Promise<Webhook | undefined>;
  /** Throws `webhook_exists`. */
  insert(webhook: Webhook, audit: AuditedOperation): Promise<void>;
  /** Returns the webhook afterwards. Throws `webhook_not_found`. */
  update(fileName: string, changes: WebhookChanges, audit: AuditedOperation): Promise<Webhook>;
  /** Stores the time of a use; does nothing when the webhook is deleted. */
  noteUse(id: string, at: Date): Promise<void>;
  /** Returns whether there was one. */
  remove(fileName: string, audit: AuditedOperation): Promise<boolean>;
  /** Removes the webhook of a removed DAG; does nothing without a webhook. */
  removeWithDag(fileName: string): Promise<void>;
  /** Moves the webhook to the new name of its DAG, and replaces one that a former DAG of that name has left. */
  rename(fileName: string, newFileName: string): Promise<void>;
}

export function presentWebhook(webhook: Webhook): WebhookDetails {
  const { id, fileName, tokenPrefix, isEnabled, createdAt, updatedAt, createdBy, lastUsedAt } = webhook;
  const { verification, secretRef, secretText, paramsFilter, callsPerMinute } = webhook;
  return {
    id,
    dagName: fileName,
    tokenPrefix,
    enabled: isEnabled,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    ...(createdBy === '' ? {} : { createdBy }),
    verification: verification ?? { style: 'token' },
    callsPerMinute,
    secretConfigured: secretRef !== null || secretText !== null,
    ...(secretRef === null ? {} : { secretRef }),
    ...(paramsFilter === null ? {} : { paramsFilter }),
    ...(lastUsedAt === null ? {} : { lastUsedAt: lastUsedAt.toISOString() }),
  };
}
