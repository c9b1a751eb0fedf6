import type { Message } from '../conversation/message';
import type { Interaction } from './interaction';

/** Objects, dates, map entries and digests of every interaction and every message, as measured on Node 24. */
const bytesPerInteraction = 3000;
const bytesPerMessage = 400;

/** Approximate number of bytes that an interaction adds to its session. */
export function estimateByteSize(interaction: Interaction): number {
  const { contextIds, sampled, newMessages, output, provenance } = interaction;
  const { top, mask } = sampled;
  const maskBytes = mask === undefined ? 0 : mask.lengths.byteLength + mask.ids.byteLength;
  const topBytes = top === undefined ? 0 : top.ids.byteLength + top.logprobs.byteLength;
  const { contextLogprobs, routedExperts } = interaction;
  const moreBytes = (routedExperts?.ids.byteLength ?? 0) + (contextLogprobs?.byteLength ?? 0);
  const tokens = contextIds.byteLength + sampled.ids.byteLength * 3 + topBytes + maskBytes + moreBytes;
  return [...newMessages, output].reduce(
    (sum, message) => sum + bytesPerMessage + textLength(message) * 2,
    bytesPerInteraction + tokens + (provenance === undefined ? 0 : JSON.stringify(provenance).length * 2),
  );
}

/** The length in UTF-16 units. */
function textLength({ content, reasoning = '', toolCalls = [] }: Message): number {
  return toolCalls.reduce(
    (sum, call) => sum + call.id.length + call.name.length + call.arguments.length,
    content.length + reasoning.length,
  );
}
