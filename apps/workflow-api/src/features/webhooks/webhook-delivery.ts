/** A call of a webhook. */
export interface WebhookDelivery {
  readonly id: string;
  readonly webhookId: string;
  readonly receivedAt: Date;
  /** Whether its sender has proved itself. */
  readonly isAuthentic: boolean;
  readonly outcome: 'started' | 'refused';
  readonly reason: string | null;
  readonly message: string | null;
  /** The id that the sender gave it. */
  readonly deliveryId: string | null;
  /** The key that repetitions of a call share; only for calls that started runs. */
  readonly replayKey: string | null;
  /** Values of secret headers are masked. */
  readonly headers: Readonly<Record<string, string>>;
  /** The bytes of the body as it was sent. */
  readonly bytes: number;
  /** Null when the body is not retained. */
  readonly body: string | null;
  readonly address: string;
  readonly dagRunId: string | null;
  readonly redeliveryOf: string | null;
}

export interface WebhookDeliveryRepository {
  /** Also deletes the surplus deliveries of the webhook. */
  insert(delivery: WebhookDelivery): Promise<void>;
  /** Lists the newest first. */
  list(webhookId: string, limit: number): Promise<readonly WebhookDelivery[]>;
  find(webhookId: string, id: string): Promise<WebhookDelivery | undefined>;
  /** Returns whether a call with this key has started a run. */
  hasStarted(webhookId: string, replayKey: string): Promise<boolean>;
  /** Counts the calls that have started runs since then. */
  countStarted(webhookId: string, since: Date): Promise<number>;
}

/** The number of calls of one webhook that are retained. */
export const retainedDeliveries = { authentic: 10_000, ofStrangers: 50, bodies: 100 } as const;

const secretHeader = /auth|cookie|token|signature|secret|password|api-?key/i;
const mask = '*****';
const maxHeaders = 50;
const maxHeaderLength = 500;

/** Returns the headers as they are retained. */
export function maskHeaders(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): Readonly<Record<string, string>> {
  const entries = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, secretHeader.test(name) ? mask : String(value).slice(0, maxHeaderLength)]],
  );
  return Object.fromEntries(entries.slice(0, maxHeaders)) as Readonly<Record<string, string>>;
}

/** A repeated call has no secret headers, because their values are not retained. */
export function withoutMasked(headers: WebhookDelivery['headers']): WebhookDelivery['headers'] {
  return Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== mask));
}

export function presentDelivery(delivery: WebhookDelivery) {
  const { id, receivedAt, outcome, reason, message, deliveryId, bytes, body, address, dagRunId, redeliveryOf } =
    delivery;
  return {
    id,
    receivedAt: receivedAt.toISOString(),
    outcome,
    bytes,
    address,
    hasBody: body !== null,
    ...(reason === null ? {} : { reason }),
    ...(message === null ? {} : { message }),
    ...(deliveryId === null ? {} : { deliveryId }),
    ...(dagRunId === null ? {} : { dagRunId }),
    ...(redeliveryOf === null ? {} : { redeliveryOf }),
  };
}
