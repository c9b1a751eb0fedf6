import { createInteractionCache, type InteractionDraft } from '@weir/rollout-core';
import { createManualClock } from '@weir/test-kit';
import type { Session } from '../../../session';
import { createSession } from '../journaled-session';
import type { SessionJournal } from '../session-journals';
import type { SessionRecord } from '../session-records';

interface SessionChoices {
  readonly restored?: readonly SessionRecord[];
  readonly usage?: { bytes: number };
}

export function aSession(
  journal: SessionJournal,
  { restored = [], usage = { bytes: 0 } }: SessionChoices = {},
): Session {
  const started = { sessionId: 's-0', taskId: 's', number: 0, keyHash: 'k', grantId: 'g', createdAtMs: 0 };
  return createSession(
    {
      started: { kind: 'started', ...started },
      cache: createInteractionCache(),
      journal,
      limits: { sessionInteractions: 10, sessionBytes: 1e9, bytes: 1e9, sessionTokens: 1e6 },
      endWaitMs: 0,
      clock: createManualClock(),
      usage,
      makeRoom: () => undefined,
    },
    { records: restored, damagedBytes: 0 },
  );
}

export const aDraft = (id: string): InteractionDraft => ({
  id,
  parent: undefined,
  newMessages: [{ role: 'user', content: id }],
  contextKey: 'key',
  output: { role: 'assistant', content: 'hi' },
  contextIds: Int32Array.of(1, 2, 3),
  inheritedTokens: 0,
  sampled: { ids: Int32Array.of(4), logprobs: Float32Array.of(-0.5), versions: Int32Array.of(0) },
  finishReason: 'stop',
  protocol: 'messages',
  model: 'm',
  createdAt: new Date(0),
  completedAt: new Date(0),
  usage: { promptTokens: 3, cachedTokens: 0, completionTokens: 1, reasoningTokens: 0 },
  continuity: { kind: 'root' },
});
