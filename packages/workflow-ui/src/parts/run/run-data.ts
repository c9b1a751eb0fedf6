import { api, type Schemas } from '../../api/client';
import { unwrap } from '@weir/ui-kit/app';
import type { LiveSource } from '../../api/live-query';
import type { RunAddress } from './run-address';

export type Run = Schemas['DAGRunDetails'];
export type Node = Schemas['Node'];

/** A run, or a child run, with its steps. */
export function runSource({ name, runId, sub }: RunAddress): LiveSource<Schemas['DAGRunDetailsResponse']> {
  const path = { name, dagRunId: runId };
  if (sub === undefined) {
    return {
      topic: `dagrun:${name}/${runId}`,
      read: (signal) => unwrap(api.GET('/dag-runs/{name}/{dagRunId}', { params: { path }, signal })),
    };
  }
  return {
    topic: `subdagrun:${name}/${runId}/${sub}`,
    read: (signal) =>
      unwrap(
        api.GET('/dag-runs/{name}/{dagRunId}/sub-dag-runs/{subDAGRunId}', {
          params: { path: { ...path, subDAGRunId: sub } },
          signal,
        }),
      ),
  };
}

const activeStatuses: ReadonlySet<Schemas['StatusLabel']> = new Set(['not_started', 'queued', 'running', 'waiting']);

/** Whether the run has not ended. */
export function isActive({ statusLabel }: Pick<Run, 'statusLabel'>): boolean {
  return activeStatuses.has(statusLabel);
}
