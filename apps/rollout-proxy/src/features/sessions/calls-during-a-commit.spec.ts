import { ExportRequest } from '@weir/rollout-contract';
import { createExportService } from '../trajectories/export-service';
import type { Session } from '../../session';
import type { SessionJournal } from './session-journals';
import { aDraft, aSession } from './testing/a-session';

/** A journal whose writes wait until they are let go. */
function createSlowJournal() {
  let letGo: (() => void)[] = [];
  let isHolding = false;
  const journal: SessionJournal = {
    isOwned: () => true,
    append: async () => {
      if (isHolding) await new Promise<void>((resolve) => letGo.push(resolve));
      return 0;
    },
    remove: () => Promise.resolve(),
  };
  return {
    journal,
    hold: () => void (isHolding = true),
    release: () => {
      isHolding = false;
      for (const go of letGo) go();
      letGo = [];
    },
  };
}

describe('calls while a record of a session is being written', () => {
  const usage = { bytes: 0 };
  let slow: ReturnType<typeof createSlowJournal>;
  let session: Session;
  const prompt = Int32Array.of(1, 2, 3);
  /** Lets what was asked for get as far as it can. */
  const settle = () => new Promise((resolve) => setImmediate(resolve));

  beforeEach(() => {
    usage.bytes = 0;
    slow = createSlowJournal();
    session = aSession(slow.journal, { usage });
  });

  it('a session that is removed during a commit no longer counts towards the bytes', async () => {
    await session.startCompletion().commit(aDraft('a'), prompt);
    expect(usage.bytes).toBeGreaterThan(0);
    slow.hold();
    const commit = session.startCompletion().commit(aDraft('b'), prompt);
    await settle();
    const removed = session.remove();
    slow.release();
    await Promise.allSettled([commit, removed]);
    expect(usage.bytes).toBe(0);
    expect(session.status()).toMatchObject({ state: 'removed', bytes: 0 });
  });

  it('a session that is removed while it ends stays removed', async () => {
    slow.hold();
    const ended = session.end('client');
    await settle();
    const removed = session.remove();
    slow.release();
    await Promise.allSettled([ended, removed]);
    expect(session.status().state).toBe('removed');
  });

  it('an export reports the revision of the rewards that it contains', async () => {
    const completion = session.startCompletion();
    await completion.commit(aDraft('a'), prompt);
    completion.close();
    await session.setReward({ interactionId: 'a', reward: 1, isCorrection: false });
    await session.end('client');
    slow.hold();
    const correction = session.setReward({ interactionId: 'a', reward: 2, isCorrection: true });
    await settle();
    const sessions = {
      get: () => session,
      start: () => Promise.reject(new Error('not used')),
      remove: () => Promise.resolve(),
      restore: () => Promise.resolve(),
      adopt: () => undefined,
      leave: () => undefined,
      isRemoving: () => false,
    };
    const exports = createExportService(sessions, () => Promise.reject(new Error('not used')));
    const made = exports.make(ExportRequest.parse({ session_id: 's-0' }), new AbortController().signal);
    await settle();
    slow.release();
    await correction;
    const answer = (await made).toJson();
    expect(answer).toMatchObject({ revision: 1, interactions: { a: { reward: 1, original_reward: 1 } } });
  });
});
