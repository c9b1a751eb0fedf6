import { createManualClock } from '@weir/test-kit';
import type { SessionChanges, SessionSummary } from '@weir/rollout-contract';
import type { ChangesListener, Fleet } from '../fleet';
import type { Session } from '../sessions';
import { createSessionWatch, type SessionWatch } from './session-watch';

const presented = (id: string) => ({ session_id: id }) as SessionSummary;

describe('the changes that are told', () => {
  let sessions: { id: string; hasLeft: () => boolean; status: () => object; cache: { size: number } }[];
  let others: ChangesListener | undefined;
  let heard: () => void;
  let watch: SessionWatch;
  const clock = createManualClock(new Date());
  const stopping = new AbortController();
  const add = (id: string, hasLeft = false) =>
    sessions.push({ id, hasLeft: () => hasLeft, status: () => ({ state: 'active' }), cache: { size: 0 } });

  beforeEach(() => {
    sessions = [];
    others = undefined;
    const isHeard = new Promise<void>((resolve) => (heard = resolve));
    const fleet: Pick<Fleet, 'follow'> = {
      follow: (listener, signal) => {
        others = listener;
        signal.addEventListener('abort', () => (others = undefined));
        return isHeard;
      },
    };
    watch = createSessionWatch({
      // Only what is compared and presented.
      store: { all: () => sessions as unknown as Session[] },
      present: ({ id }) => presented(id),
      clock,
      fleet,
    });
  });
  const open = async () => {
    heard();
    const events = watch.watch(stopping.signal);
    await events.next();
    return events;
  };
  const told = async (events: AsyncGenerator<{ data: unknown }>) => {
    const { value } = (await events.next()) as { value: { data: SessionChanges } };
    return { sessions: value.data.sessions.map((session) => session.session_id), removed: value.data.removed };
  };

  it('begin when the other processes are heard, and have theirs', async () => {
    const events = watch.watch(stopping.signal);
    const first = events.next();
    await Promise.resolve();
    heard();
    expect((await first).value).toEqual({ event: 'ready', data: {} });
    others?.onChanges({ sessions: [presented('there')], removed: ['gone'] });
    expect(await told(events)).toEqual({ sessions: ['there'], removed: ['gone'] });
  });

  it('begin again when a process is heard that was not heard before', async () => {
    const events = await open();
    others?.onHeard();
    expect((await events.next()).value).toEqual({ event: 'ready', data: {} });
  });

  it('do not name a session as removed that was left to another process', async () => {
    add('removed');
    add('left', true);
    const events = await open();
    sessions = [];
    const next = told(events);
    clock.advance(200);
    expect(await next).toEqual({ sessions: [], removed: ['removed'] });
  });

  it('are those of this process alone for another one', async () => {
    const events = watch.watchOwn(stopping.signal);
    await events.next();
    expect(others).toBeUndefined();
  });

  it('are followed only while somebody watches', async () => {
    const events = await open();
    expect(others).toBeDefined();
    await events.return(undefined);
    expect(others).toBeUndefined();
  });
});
