import { isAppError } from '@weir/foundation';
import type { RemoteNodeHealth } from '@weir/workflow-contract/schemas';
import type { Clock } from '@weir/workflow-engine/model';

/** The outcomes of the last answers of nodes, in this process. */
export interface NodeHealth {
  /** Records how a request to the node ends. */
  note<T>(name: string, request: () => Promise<T>): Promise<T>;
  get(name: string): RemoteNodeHealth;
  /** Facts about a node do not hold for another node with its name. */
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
