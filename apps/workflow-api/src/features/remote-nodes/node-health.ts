import { isAppError } from '@weir/foundation';
import type { RemoteNodeHealth } from '@weir/workflow-contract/schemas';
import type { Clock } from '@weir/workflow-engine';

/** How the last answers of nodes were, in this process. */
export interface NodeHealth {
  /** Notes how a request to the node ends. */
  note<T>(name: string, request: () => Promise<T>): Promise<T>;
  get(name: string): RemoteNodeHealth;
  /** What is known of a node does not hold for another one of its name. */
  forget(name: string): void;
}

export function createNodeHealth(clock: Clock): NodeHealth {
  const known = new Map<string, RemoteNodeHealth>();
  const set = (name: string, health: Omit<RemoteNodeHealth, 'checkedAt'>): void => {
    known.set(name, { ...health, checkedAt: clock.now().toISOString() });
  };
  return {
    note: async (name, request) => {
      try {
        const answer = await request();
        set(name, { status: 'reachable' });
        return answer;
      } catch (error) {
        if (isAppError(error)) set(name, { status: 'failing', problem: error.message });
        throw error;
      }
    },
    get: (name) => known.get(name) ?? { status: 'unknown' },
    forget: (name) => void known.delete(name),
  };
}
