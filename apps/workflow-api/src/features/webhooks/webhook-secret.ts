import type { Sealer } from '../../encryption';
import type { WebhookVerification } from '@weir/workflow-contract/schemas';
import type { ReadStoredSecret } from '@weir/workflow-engine';
import type { Webhook } from './webhook';
import { webhookSecretUnreadable } from './webhook-errors';

export const webhookSecretBytes = 32;

/** Creates a secret in the form that senders of the style accept. */
export function createWebhookSecret(style: WebhookVerification['style'], bytes: Uint8Array): string {
  const text = Buffer.from(bytes);
  return style === 'standard' ? `whsec_${text.toString('base64')}` : text.toString('base64url');
}

/** The context with which the secret of a webhook is sealed. */
export const webhookSealContext = (webhookId: string): string => `webhook ${webhookId}`;

export interface WebhookSecretPorts {
  readonly sealer: Sealer;
  readonly readStoredSecret: ReadStoredSecret;
}

/** Returns the secret that calls are signed with. Throws `webhook_secret_unreadable`. */
export async function readWebhookSecret(
  { sealer, readStoredSecret }: WebhookSecretPorts,
  { id, secretRef, secretKeyId, secretText }: Webhook,
  workspace: string | undefined,
): Promise<string> {
  if (secretRef !== null) {
    const read = await readStoredSecret(secretRef, workspace);
    if ('problem' in read) throw webhookSecretUnreadable(read.problem);
    return read.value;
  }
  if (secretKeyId === null || secretText === null) throw webhookSecretUnreadable('the webhook has none');
  return sealer.open({ keyId: secretKeyId, text: secretText }, webhookSealContext(id));
}
