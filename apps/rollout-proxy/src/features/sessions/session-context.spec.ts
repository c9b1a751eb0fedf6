import { createInteractionCache, type InteractionDraft, type PromptContext } from '@weir/rollout-core';
import { createManualClock } from '@weir/test-kit';
import { decodeRecords, encodeRecord } from '../../journal/record';
import type { SessionJournal } from './session-journals';
import { createSession } from './journaled-session';
import type { SessionRecord } from './session-records';

const draft = (id: string): InteractionDraft => ({
  id,
  parent: undefined,
  newMessages: [{ role: 'user', content: id }],
  contextKey: 'key',
  output: { role: 'assistant', content: 'hi' },
  contextIds: Int32Array.of(1),
  inheritedTokens: 0,
  sampled: { ids: Int32Array.of(4), logprobs: Float32Array.of(-0.5), versions: Int32Array.of(0) },
  finishReason: 'stop',
  protocol: 'messages',
  model: 'm',
  createdAt: new Date(0),
  completedAt: new Date(0),
  usage: { promptTokens: 1, cachedTokens: 0, completionTokens: 1, reasoningTokens: 0 },
  continuity: { kind: 'root' },
});

const started = {
  kind: 'started' as const,
  sessionId: 's-0',
  taskId: 's',
  number: 0,
  keyHash: 'k',
  grantId: 'g',
  createdAtMs: 0,
};

function aSession(records: Buffer[], restored: readonly SessionRecord[] = []) {
  const journal: SessionJournal = {
    isOwned: () => true,
    append: (value) => Promise.resolve(records.push(encodeRecord(value))),
    remove: () => Promise.resolve(),
  };
  const limits = { sessionInteractions: 10, sessionBytes: 1e9, bytes: 1e9, sessionTokens: 1e6 };
  const shared = { limits, endWaitMs: 0, clock: createManualClock(), usage: { bytes: 0 }, makeRoom: () => undefined };
  return createSession(
    { started, cache: createInteractionCache(), journal, ...shared },
    { records: restored, damagedBytes: 0 },
  );
}

describe('tools and template arguments of the calls of a session', () => {
  it('are stored once, counted, and restored after a restart', async () => {
    const context: PromptContext = {
      tools: [{ name: 'look', parameters: { type: 'object', properties: { '2': {}, '1': {} } } }],
      templateArguments: { enable_thinking: false },
    };
    const records: Buffer[] = [];
    const session = aSession(records);
    const completion = session.startCompletion();
    for (const id of ['a', 'b']) await completion.commit(draft(id), Int32Array.of(1), context);
    completion.close();
    expect(records).toHaveLength(3);

    const { values } = decodeRecords(Buffer.concat(records));
    // The session above wrote these values.
    const restored = aSession([], values as readonly SessionRecord[]);
    expect(restored.cache.findContext('key')).toEqual(context);
    expect(restored.status().bytes).toBe(session.status().bytes);
    const without = aSession([]);
    await without.startCompletion().commit(draft('a'), Int32Array.of(1));
    await without.startCompletion().commit(draft('b'), Int32Array.of(1));
    expect(session.status().bytes - without.status().bytes).toBe(JSON.stringify(context).length * 2);
  });
});
