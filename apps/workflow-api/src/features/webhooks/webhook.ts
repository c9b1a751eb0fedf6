import type { WebhookDetails } from '@weir/workflow-contract';

/** What starts the runs of a DAG from outside. Only a digest of its token is stored. */
export interface Webhook {
  /** Of the DAG, which has one webhook at most. */
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
}

export type WebhookChanges = Pick<Webhook, 'updatedAt'> &
  Partial<Pick<Webhook, 'tokenPrefix' | 'tokenDigest' | 'isEnabled'>>;

export interface WebhookRepository {
  /** By file name. */
  list(): Promise<readonly Webhook[]>;
  find(fileName: string): Promise<Webhook | undefined>;
  /** Throws `webhook_exists`. */
  insert(webhook: Webhook): Promise<void>;
  /** Returns the webhook afterwards. Throws `webhook_not_found`. */
  update(fileName: string, changes: WebhookChanges): Promise<Webhook>;
  /** Notes a use; does nothing when the webhook is gone. */
  noteUse(id: string, at: Date): Promise<void>;
  /** Returns whether there was one. */
  remove(fileName: string): Promise<boolean>;
  /** Removes what belongs to a DAG that is removed; does nothing without a webhook. */
  removeWithDag(fileName: string): Promise<void>;
  /** Gives the webhook to a DAG that has another name now, in place of one that a former DAG of that name has left. */
  rename(fileName: string, newFileName: string): Promise<void>;
}

export function presentWebhook(webhook: Webhook): WebhookDetails {
  const { id, fileName, tokenPrefix, isEnabled, createdAt, updatedAt, createdBy, lastUsedAt } = webhook;
  return {
    ...{ id, dagName: fileName, tokenPrefix, enabled: isEnabled },
    ...{ createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() },
    ...(createdBy === '' ? {} : { createdBy }),
    ...(lastUsedAt === null ? {} : { lastUsedAt: lastUsedAt.toISOString() }),
  };
}
