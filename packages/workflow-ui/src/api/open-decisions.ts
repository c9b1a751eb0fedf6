import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api, type Schemas } from './client';
import { unwrap, type Failure } from '@weir/ui-kit/app';
import { liveStream } from './live-stream';

export type OpenDecision = Schemas['OpenDecision'];

const runsPerPage = 200;
/** The topic of waiting runs of every age: their list changes when a decision is requested or made. */
const waitingRuns = 'dagruns:fromDate=0&status=7';
const queryKey = ['open-decisions'] as const;

const openDecisionsQuery = queryOptions<Schemas['OpenDecisionsPageResponse'], Failure>({
  queryKey: [...queryKey],
  queryFn: ({ signal }) => unwrap(api.GET('/open-decisions', { params: { query: { limit: runsPerPage } }, signal })),
});

/** Lists the decisions that wait for people, the newest runs first; it follows the server. */
export function useOpenDecisions() {
  const client = useQueryClient();
  useEffect(() => liveStream.subscribe(waitingRuns, () => void client.invalidateQueries({ queryKey })), [client]);
  return useQuery(openDecisionsQuery);
}

export interface WaitingCount {
  /** The number of decisions that the caller may make. */
  readonly mine: number;
  readonly isComplete: boolean;
}

/** Returns how many decisions wait for the caller; `undefined` until it is known. */
export function useWaitingCount(): WaitingCount | undefined {
  const { data } = useOpenDecisions();
  if (data === undefined) return undefined;
  return { mine: data.items.filter(({ mayDecide }) => mayDecide).length, isComplete: data.nextCursor === undefined };
}

/** Returns a unique name of a decision. */
export function decisionKey({ name, dagRunId, subDAGRunId, step }: DecisionAddress): string {
  return [name, dagRunId, subDAGRunId ?? '', step].join('/');
}

/** The waiting step of a run. */
export type DecisionAddress = Pick<OpenDecision, 'name' | 'dagRunId' | 'subDAGRunId' | 'step'>;
