import { messageParts, toMessageParts, type MessagePosition } from '../conversation/message-key';
import type { Matching } from '../conversation/matching-presets';
import type { Message } from '../conversation/message';
import type { Interaction } from './interaction';
import type { Mismatch } from './mismatch-report';
import type { PathIndex, Trail } from './path-index';

export interface MismatchInput {
  readonly messages: readonly Message[];
  readonly contextKey: string;
  readonly trail: Trail;
  readonly index: PathIndex;
  readonly matching: Matching;
  /** The latest interaction that has no parent. */
  readonly latestRoot: Interaction | undefined;
}

/**
 * Finds where a request differs from a known path that it shares a beginning with. A request without answers after the
 * common beginning is a new branch or a retry, not a mismatch; one without a common beginning counts only if it contains
 * an answer of this session. Linear in the request.
 */
export function findMismatch(input: MismatchInput): Mismatch | undefined {
  const { messages, trail, index, latestRoot } = input;
  const known = index.knownLength(trail);
  const rest = messages.slice(known);
  if (known === 0) {
    if (latestRoot === undefined || !rest.some((message) => index.isOutput(message))) return undefined;
    return describeDifference(input, 0, latestRoot);
  }
  const interaction = index.continuation(trail[known] ?? '');
  if (interaction === undefined || !rest.some(({ role }) => role === 'assistant')) return undefined;
  return describeDifference(input, known, interaction);
}

function describeDifference(input: MismatchInput, at: number, interaction: Interaction): Mismatch | undefined {
  const theirs = input.messages[at];
  const before = interaction.pathMessages - 1 - interaction.newMessages.length;
  const ours = interaction.newMessages[at - before] ?? interaction.output;
  if (theirs === undefined) return undefined;
  if (at === 0 && interaction.contextKey !== input.contextKey) return { index: 0, role: ours.role, part: 'context' };
  // Results are compared without their calls, which are equal on both sides.
  const position: MessagePosition = { calls: new Map(), results: 0 };
  const ourParts = toMessageParts(ours, position, input.matching);
  const theirParts = toMessageParts(theirs, position, input.matching);
  const part = messageParts.find((name) => ourParts[name] !== theirParts[name]) ?? 'tool_call_id';
  return { index: at, role: ours.role, part };
}
