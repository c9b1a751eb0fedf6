import type { PromptContext } from '@weir/rollout-core';
import { decodeRecords, encodeRecord } from '../../journal/record';
import type { SessionJournal } from './session-journals';
import type { SessionRecord } from './session-records';
import { aDraft, aSession } from './testing/a-session';

const recordInto = (records: Buffer[]): SessionJournal => ({
  isOwned: () => true,
  append: (value) => Promise.resolve(records.push(encodeRecord(value))),
  remove: () => Promise.resolve(),
});

describe('tools and template arguments of the calls of a session', () => {
  it('are stored once, counted, and restored after a restart', async () => {
    const context: PromptContext = {
      tools: [{ name: 'look', parameters: { type: 'object', properties: { '2': {}, '1': {} } } }],
      templateArguments: { enable_thinking: false },
    };
    const records: Buffer[] = [];
    const session = aSession(recordInto(records));
    const completion = session.startCompletion();
    for (const id of ['a', 'b']) await completion.commit(aDraft(id), Int32Array.of(1, 2, 3), context);
    completion.close();
    expect(records).toHaveLength(3);

    const { values } = decodeRecords(Buffer.concat(records));
    // The session above wrote these values.
    const restored = aSession(recordInto([]), { restored: values as readonly SessionRecord[] });
    expect(restored.cache.findContext('key')).toEqual(context);
    expect(restored.status().bytes).toBe(session.status().bytes);
    const without = aSession(recordInto([]));
    await without.startCompletion().commit(aDraft('a'), Int32Array.of(1, 2, 3));
    await without.startCompletion().commit(aDraft('b'), Int32Array.of(1, 2, 3));
    expect(session.status().bytes - without.status().bytes).toBe(JSON.stringify(context).length * 2);
  });
});
