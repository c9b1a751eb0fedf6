import type { Timer } from '@weir/workflow-engine/model';
import type { TurnPorts } from './turn-ports';

/** A lost server keeps a session from other servers for this time. */
export const leaseMs = 6_000;
const renewMs = 2_000;

type LeasePorts = Pick<TurnPorts, 'agentSessions' | 'clock' | 'logger'> & { readonly timer: Timer };

interface Lease {
  readonly sessionId: string;
  readonly fence: number;
  /** Called once another process owns the session. */
  readonly onLost: () => void;
}

/** Renews the lease of a session until the returned function is called. */
export function keepLease(
  { agentSessions, clock, timer, logger }: LeasePorts,
  { sessionId, fence, onLost }: Lease,
): () => void {
  let isEnded = false;
  let cancel: () => void = () => undefined;
  const schedule = (): void => {
    if (isEnded) return;
    cancel = timer.start(renewMs, () => {
      agentSessions.renew(sessionId, fence, new Date(clock.now().getTime() + leaseMs)).then(
        (isRenewed) => (isRenewed ? schedule() : onLost()),
        (error: unknown) => {
          logger.warn({ sessionId, error }, 'the lease of a session was not renewed');
          schedule();
        },
      );
    });
  };
  schedule();
  return () => {
    isEnded = true;
    cancel();
  };
}
