import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api, type Schemas } from './client';
import { unwrap, type Failure } from '@weir/ui-kit/app';
import { liveStream } from './live-stream';

export type OpenDecision = Schemas['OpenDecision'];

const runsPerPage = 200;
/** Runs of every age that wait: their list changes when a decision is asked for or made. */
const waitingRuns = 'dagruns:fromDate=0&status=7';
const queryKey = ['open-decisions'] as const;

const openDecisionsQuery = queryOptions<Schemas['OpenDecisionsPageResponse'], Failure>({
  queryKey: [...queryKey],
  queryFn: ({ signal }) => unwrap(api.GET('/open-decisions', { params: { query: { limit: runsPerPage } }, signal })),
});

/** What waits for people, the newest runs first; it follows the server. */
export function useOpenDecisions() {
  const client = useQueryClient();
  useEffect(() => liveStream.subscribe(waitingRuns, () => void client.invalidateQueries({ queryKey })), [client]);
  return useQuery(openDecisionsQuery);
}

export interface WaitingCount {
  /** What the caller may decide. */
  readonly mine: number;
  readonly isComplete: boolean;
}

/** How much waits for the caller; `undefined` until it is known. */
export function useWaitingCount(): WaitingCount | undefined {
  const { data } = useOpenDecisions();
  if (data === undefined) return undefined;
  return { mine: data.items.filter(({ mayDecide }) => mayDecide).length, isComplete: data.nextCursor === undefined };
}

/** Names a decision within all of them. */
export function decisionKey({ name, dagRunId, subDAGRunId, step }: DecisionAddress): string {
  return [name, dagRunId, subDAGRunId ?? '', step].join('/');
}

/** The step of a run that waits. */
export type DecisionAddress = Pick<OpenDecision, 'name' | 'dagRunId' | 'subDAGRunId' | 'step'>;
