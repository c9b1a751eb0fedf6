import type { WorkflowClient } from '@weir/workflow-client';
import type { Timer } from '@weir/workflow-engine/model';
import { startInterval } from '../../adapters/start-interval';
import { serverStopped } from './agent-errors';
import { keepLease, leaseMs } from './keep-lease';
import { runTurn } from './run-turn';
import type { TurnPorts } from './turn-ports';

/** An incomplete reply is announced to its watchers at this interval. */
const announceMs = 250;

export interface TurnsPorts extends TurnPorts {
  readonly timer: Timer;
  /** Called with the id of each session that this process may have changed. */
  readonly onChange: (sessionId: string) => void;
}

/** The person whose rights the tools have; they are checked at each call of a tool. */
export interface Person {
  readonly createClient: () => Promise<{ readonly client: WorkflowClient; readonly close: () => void }>;
}

interface Active {
  readonly controller: AbortController;
  readonly ended: Promise<void>;
}

export type Turns = ReturnType<typeof createTurns>;

/** Manages the sessions that this process works on. */
export function createTurns(ports: TurnsPorts) {
  const { agentSessions, random, clock, timer, logger, onChange } = ports;
  const owner = random.uuid();
  const active = new Map<string, Active>();
  const waits = new Set<() => void>();
  let isStopped = false;

  const until = (): Date => new Date(clock.now().getTime() + leaseMs);
  const work = async (sessionId: string, fence: number, person: Person, controller: AbortController): Promise<void> => {
    const stopRenewing = keepLease(ports, { sessionId, fence, onLost: () => controller.abort() });
    const stopAnnouncing = startInterval(announceMs, () => onChange(sessionId));
    try {
      const { client, close } = await person.createClient();
      try {
        await runTurn(ports, { sessionId, fence, client, signal: controller.signal });
      } finally {
        close();
      }
    } catch (error) {
      logger.error({ sessionId, error }, 'the work on a session could not begin');
    } finally {
      stopAnnouncing();
      stopRenewing();
      onChange(sessionId);
    }
  };

  /**
   * Works on unanswered messages, unless another process does. If that process is lost, its lease ends and this one
   * tries again.
   */
  const wake = async (sessionId: string, person: Person): Promise<void> => {
    if (isStopped) return;
    const fence = await agentSessions.claim(sessionId, { owner, until: until(), now: clock.now() });
    if (fence === undefined) {
      if (active.has(sessionId)) return;
      const cancel = timer.start(leaseMs, () => {
        waits.delete(cancel);
        wake(sessionId, person).catch((error: unknown) =>
          logger.error({ sessionId, error }, 'a session was not claimed'),
        );
      });
      waits.add(cancel);
      return;
    }
    const controller = new AbortController();
    const ended = work(sessionId, fence, person, controller).finally(() => {
      if (active.get(sessionId)?.controller === controller) active.delete(sessionId);
    });
    active.set(sessionId, { controller, ended });
  };

  return {
    wake,
    /** Aborts the work of this process on a session. */
    abort: (sessionId: string): void => active.get(sessionId)?.controller.abort(),
    stop: async (): Promise<void> => {
      isStopped = true;
      for (const cancel of waits) cancel();
      const all = [...active.values()];
      for (const { controller } of all) controller.abort(serverStopped());
      await Promise.all(all.map(({ ended }) => ended));
    },
  };
}
