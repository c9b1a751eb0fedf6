import type { Logger, Secret } from '@weir/service-kit';
import type { Database } from '@weir/workflow-db';
import { createThreadHeartbeat } from '../heartbeat-thread';
import type { Heartbeat, WorkerRecord } from './worker';

export type CreateHeartbeat = (worker: Omit<WorkerRecord, 'heartbeatAt'>, logger: Logger) => Heartbeat;

/** Heartbeats that leases depend on; nothing for a database that one process has to itself. */
export function selectHeartbeat(
  { provider }: Pick<Database, 'provider'>,
  place: { readonly url: Secret; readonly workerFile: string },
): CreateHeartbeat | undefined {
  if (provider === 'sqlite') return undefined;
  return (worker, logger) => createThreadHeartbeat({ ...place, runner: worker, logger });
}
