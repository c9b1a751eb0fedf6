import { maxWebhookPayloadBytes } from '@weir/workflow-contract';
import type { OutputEvaluator } from '../../output-thread';
import { webhookFilterFailed, webhookPayloadTooLarge } from './webhook-errors';

/** Limits waiting and evaluating together; the evaluator has a shorter limit of its own for evaluating. */
const deadlineMs = 30_000;

/**
 * Returns the parameters of a run that a webhook starts: the output of the jq filter for the payload, and
 * the payload itself as WEBHOOK_PAYLOAD, which steps get as a variable and which is never a part of a command. A
 * payload that is too large for a variable is only passed to the filter; without a filter it throws
 * `webhook_payload_too_large`. Throws also `webhook_filter_failed`.
 */
export async function mapPayload(
  outputEvaluator: OutputEvaluator,
  payload: unknown,
  filter: string | null,
): Promise<Readonly<Record<string, string>>> {
  const text = JSON.stringify(payload);
  const fits = Buffer.byteLength(text) <= maxWebhookPayloadBytes;
  if (!fits && filter === null) throw webhookPayloadTooLarge(maxWebhookPayloadBytes);
  const mapped = filter === null ? {} : await applyFilter(outputEvaluator, text, filter);
  return { ...mapped, ...(fits ? { WEBHOOK_PAYLOAD: text } : {}) };
}

async function applyFilter(
  outputEvaluator: OutputEvaluator,
  text: string,
  filter: string,
): Promise<Readonly<Record<string, string>>> {
  const result = await outputEvaluator.evaluate(
    {
      fields: [{ name: 'params', source: { kind: 'stdout', decode: 'json', select: filter } }],
      stdout: text,
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
