import type { WebhookSettings } from '@weir/workflow-contract/schemas';
import type { Requester } from '../../access/audited-operation';
import { createDagAccess } from '../dags';
import type { WebhookPorts } from './receive-call';
import type { Webhook } from './webhook';
import { createWebhookSecret, webhookSealContext, webhookSecretBytes } from './webhook-secret';

export interface NewSecret {
  readonly webhook: Webhook;
  /** The secret, which is shown once; undefined where none was created. */
  readonly secret: string | undefined;
}

type FindWebhook = (fileName: string) => Promise<Webhook>;
type WebhookStyle = WebhookSettings['verification']['style'];

/** Serves the settings with which a webhook checks and maps its calls. `find` throws `webhook_not_found`. */
export function createWebhookSettings(ports: WebhookPorts, find: FindWebhook) {
  const { webhooks, sealer, clock, random } = ports;
  const { findEditable } = createDagAccess(ports);
  const makeSecret = async ({ id }: Webhook, style: WebhookStyle, given?: string) => {
    const secret = given ?? createWebhookSecret(style, random.bytes(webhookSecretBytes));
    const { keyId, text } = await sealer.seal(secret, webhookSealContext(id));
    return { secret, stored: { secretKeyId: keyId, secretText: text } };
  };
  return {
    /** Returns the secret if one was created. */
    async configure(fileName: string, settings: WebhookSettings, { principal, audit }: Requester): Promise<NewSecret> {
      await findEditable(fileName, principal);
      const before = await find(fileName);
      const { verification, secretRef, paramsFilter, callsPerMinute } = settings;
      const needsSecret = verification.style !== 'token' && secretRef == null && before.secretText === null;
      const made = needsSecret ? await makeSecret(before, verification.style) : undefined;
      const changes = {
        verification,
        secretRef: secretRef ?? null,
        paramsFilter: paramsFilter ?? null,
        callsPerMinute,
        ...made?.stored,
        updatedAt: clock.now(),
      };
      const webhook = await webhooks.update(fileName, changes, audit);
      return { webhook, secret: made?.secret };
    },

    /** Gives the webhook this secret of its own, or a new one. */
    async replaceSecret(
      fileName: string,
      secret: string | undefined,
      { principal, audit }: Requester,
    ): Promise<NewSecret> {
      await findEditable(fileName, principal);
      const before = await find(fileName);
      const made = await makeSecret(before, before.verification?.style ?? 'token', secret);
      const changes = { ...made.stored, secretRef: null, updatedAt: clock.now() };
      const webhook = await webhooks.update(fileName, changes, audit);
      return { webhook, secret: secret === undefined ? made.secret : undefined };
    },
  };
}
