import { AppError } from '@weir/errors';
import type { TurnIdentity } from './turn';
import type { TurnLog } from './turn-log';

/** The latest turns of a session by what a repeated call is recognised by. */
export interface TurnRegistry {
  /** The turn that this call repeats, if it repeats one. Throws `conflict` for a key that named another body. */
  find(identity: TurnIdentity): TurnLog | undefined;
  /** Until it fails or is broken off: such a turn answers nobody else. */
  remember(identity: TurnIdentity, turn: TurnLog): void;
}

interface Keyed {
  readonly bodyDigest: string;
  readonly turn: TurnLog;
}

/** Repeats come soon after the first attempt, so only the latest turns are known. */
export function createTurnRegistry(maxTurns = 16): TurnRegistry {
  const byKey = new Map<string, Keyed>();
  const byDigest = new Map<string, TurnLog>();
  const bound = (map: Map<string, unknown>): void => {
    const [oldest] = map.keys();
    if (map.size > maxTurns && oldest !== undefined) map.delete(oldest);
  };
  const forget = ({ key, bodyDigest }: TurnIdentity, turn: TurnLog): void => {
    if (key !== undefined && byKey.get(key)?.turn === turn) byKey.delete(key);
    if (byDigest.get(bodyDigest) === turn) byDigest.delete(bodyDigest);
  };
  const living = (turn: TurnLog | undefined): TurnLog | undefined => (turn?.isLeft === true ? undefined : turn);
  return {
    find: ({ key, bodyDigest, attempt }) => {
      if (key === undefined) return attempt === 0 ? undefined : living(byDigest.get(bodyDigest));
      const keyed = byKey.get(key);
      if (keyed !== undefined && keyed.bodyDigest !== bodyDigest) {
        throw new AppError('conflict', 'The Idempotency-Key was used for another body.', {
          reason: 'idempotency_key_reused',
        });
      }
      return living(keyed?.turn);
    },
    remember: (identity, turn) => {
      const { key, bodyDigest } = identity;
      if (key !== undefined) byKey.set(key, { bodyDigest, turn });
      byDigest.delete(bodyDigest);
      byDigest.set(bodyDigest, turn);
      bound(byKey);
      bound(byDigest);
      void turn.settled.then((isDone) => {
        if (!isDone) forget(identity, turn);
      });
    },
  };
}
