import type { Logger, Secret } from '@weir/service-kit';
import type { Database } from '@weir/workflow-db';
import { createThreadHeartbeat } from '../heartbeat-thread';
import type { Heartbeat, RunnerRecord } from './runner';

export type HeartbeatOf = (runner: Omit<RunnerRecord, 'heartbeatAt'>, logger: Logger) => Heartbeat;

/** Heartbeats that leases depend on; nothing for a database that one process has to itself. */
export function heartbeatOf(
  { provider }: Pick<Database, 'provider'>,
  place: { readonly url: Secret; readonly workerFile: string },
): HeartbeatOf | undefined {
  if (provider === 'sqlite') return undefined;
  return (runner, logger) => createThreadHeartbeat({ ...place, runner, logger });
}
