import { setTimeout as sleepFor } from 'node:timers/promises';
import type { ApiClient } from '@weir/api-client';
import type { SessionChanges } from '@weir/rollout-contract';
import type { Paths } from '@weir/rollout-contract/paths';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { withModels, type ChangesListener } from '../features/fleet';
import type { Lease, Replica } from './lease';

export interface FollowOptions {
  readonly lease: Pick<Lease, 'others'>;
  readonly listener: ChangesListener;
  readonly connect: (replica: Replica) => ApiClient<Paths>;
  readonly signal: AbortSignal;
}

const lookMs = 1_000;
/** Streams have a heartbeat every 15 s. */
const silenceMs = 45_000;
/** An event has at most 200 sessions. */
const maxEventCharacters = 64 * 1024 * 1024;

/** See `Fleet`. A stream that ends is opened again as long as its replica has a lease. */
export async function followReplicas(options: FollowOptions): Promise<void> {
  const { lease, listener, signal } = options;
  const followed = new Set<number>();
  const openNew = async (onHeard: () => void): Promise<void> => {
    const fresh = (await lease.others()).filter(({ number }) => !followed.has(number));
    const tried = fresh.map(
      (replica) =>
        new Promise<void>((resolve) => {
          followed.add(replica.number);
          const heard = (): void => {
            onHeard();
            resolve();
          };
          // Whether it failed or ended: the next look opens another one.
          void followOne(replica, options, heard)
            .catch(() => undefined)
            .finally(() => {
              followed.delete(replica.number);
              resolve();
            });
        }),
    );
    await Promise.all(tried);
  };
  const goOn = async (): Promise<void> => {
    for (;;) {
      await sleepFor(lookMs, undefined, { signal, ref: false });
      // A database that does not answer now may answer at the next look.
      await openNew(listener.onHeard).catch(() => undefined);
    }
  };
  await openNew(() => undefined).catch(() => undefined);
  // Ends with the signal.
  void goOn().catch(() => undefined);
}

async function followOne(
  replica: Replica,
  { connect, listener, signal }: FollowOptions,
  onHeard: () => void,
): Promise<void> {
  const silent = new AbortController();
  const timer = setTimeout(() => silent.abort(), silenceMs);
  const limited = AbortSignal.any([signal, silent.signal]);
  try {
    const { data } = await connect(replica).GET('/rl/events', { parseAs: 'stream', signal: limited });
    if (data === null) return;
    const events = data
      .pipeThrough(noticing(() => timer.refresh()))
      .pipeThrough(new TextDecoderStream())
      .pipeThrough(new EventSourceParserStream({ maxBufferSize: maxEventCharacters }), { signal: limited });
    for await (const { event, data: text } of events) {
      if (event === 'ready') onHeard();
      if (event === 'changes') listener.onChanges(parseChanges(text));
    }
  } finally {
    clearTimeout(timer);
  }
}

function noticing(onPart: () => void): TransformStream<Uint8Array, Uint8Array> {
  return new TransformStream({
    transform: (part, controller) => {
      onPart();
      controller.enqueue(part);
    },
  });
}

function parseChanges(text: string): SessionChanges {
  // The other end is the same program, or an earlier version of it.
  const { sessions, removed } = JSON.parse(text) as SessionChanges;
  return { sessions: sessions.map(withModels), removed };
}
