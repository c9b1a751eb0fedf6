import { maxWebhookPayloadBytes } from '@weir/workflow-contract';
import type { OutputEvaluator } from '../../output-thread';
import type { WebhookCall } from './call-log';
import { maskHeaders, withoutMasked } from './webhook-delivery';
import { webhookFilterFailed, webhookPayloadTooLarge } from './webhook-errors';

/** Limits waiting and evaluating together; the evaluator has a shorter limit of its own for evaluating. */
const deadlineMs = 30_000;

/**
 * Returns the parameters of a run that a webhook starts: the output of the jq filter for the payload, where `$headers`
 * are the headers that are no secrets, and the payload itself as WEBHOOK_PAYLOAD, which steps get as a variable and
 * which is never a part of a command. A payload that is too large for a variable is only passed to the filter; without
 * a filter it throws `webhook_payload_too_large`. Throws also `webhook_filter_failed`.
 */
export async function mapPayload(
  outputEvaluator: OutputEvaluator,
  { payload, headers }: { readonly payload: unknown } & Pick<WebhookCall, 'headers'>,
  filter: string | null,
): Promise<Readonly<Record<string, string>>> {
  const text = JSON.stringify(payload);
  const fits = Buffer.byteLength(text) <= maxWebhookPayloadBytes;
  if (!fits && filter === null) throw webhookPayloadTooLarge(maxWebhookPayloadBytes);
  const mapped =
    filter === null
      ? {}
      : await applyFilter(outputEvaluator, { payload, headers: withoutMasked(maskHeaders(headers)) }, filter);
  return { ...mapped, ...(fits ? { WEBHOOK_PAYLOAD: text } : {}) };
}

async function applyFilter(
  outputEvaluator: OutputEvaluator,
  call: object,
  filter: string,
): Promise<Readonly<Record<string, string>>> {
  // The line break ends a comment at the end of the filter.
  const select = `.headers as $headers | .payload | (${filter}\n)`;
  const result = await outputEvaluator.evaluate(
    {
      fields: [{ name: 'params', source: { kind: 'stdout', decode: 'json', select } }],
      stdout: JSON.stringify(call),
      files: [],
      maxBytes: maxWebhookPayloadBytes,
    },
    AbortSignal.timeout(deadlineMs),
  );
  if ('problem' in result) throw webhookFilterFailed(result.problem);
  const value = result.fields[0]?.value;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw webhookFilterFailed('it gives no object');
  }
  const entries = Object.entries(value).filter(([, each]) => each !== null);
  return Object.fromEntries(
    entries.map(([name, each]) => [name, typeof each === 'string' ? each : JSON.stringify(each)]),
  );
}
