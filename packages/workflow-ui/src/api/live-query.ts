import { keepPreviousData, queryOptions, useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import type { Failure } from '@weir/ui-kit/app';
import type { LiveState } from './event-stream';
import { liveStream } from './live-stream';

/** Data that the server serves by an operation and announces, in the same form, under a topic. */
export interface LiveSource<Data> {
  readonly topic: string;
  readonly read: (signal: AbortSignal) => Promise<Data>;
}

/** Returns the options of the query of a live source; its key is the topic. */
export function liveQueryOptions<Data>({ topic, read }: LiveSource<Data>) {
  return queryOptions<Data, Failure>({
    queryKey: ['live', topic],
    queryFn: async ({ signal, client, queryKey }): Promise<Data> => {
      const before = client.getQueryState<Data>(queryKey)?.dataUpdateCount;
      const answer = await read(signal);
      const known = client.getQueryState<Data>(queryKey);
      // Data that the stream has brought meanwhile is newer than an answer to an earlier request.
      if (known?.data !== undefined && known.dataUpdateCount !== before) return known.data;
      return answer;
    },
  });
}

/** Reads a live source and keeps it new: events of the stream replace the data. */
export function useLiveQuery<Data extends object>(source: LiveSource<Data>): UseQueryResult<Data, Failure> {
  const client = useQueryClient();
  const { topic } = source;
  useEffect(
    () => liveStream.subscribe(topic, (payload) => client.setQueryData(['live', topic], payload)),
    [client, topic],
  );
  return useQuery<Data, Failure>({ ...liveQueryOptions(source), placeholderData: keepPreviousData });
}

/** Returns whether the page follows the server. */
export function useLiveState(): LiveState {
  return useSyncExternalStore(liveStream.onStateChange, liveStream.getState);
}

type TopicValue = string | number | boolean | undefined;

/** Spells a topic with a query as the server does: its keys are sorted. */
export function topicOf(kind: string, query: Readonly<Record<string, TopicValue | readonly TopicValue[]>>): string {
  const entries = Object.entries(query).flatMap(([key, values]) =>
    [values].flat().flatMap((value) => (value === undefined ? [] : [[key, String(value)]])),
  );
  return `${kind}:${new URLSearchParams(entries.sort(([one = ''], [other = '']) => (one < other ? -1 : 1)))}`;
}
