import { keepPreviousData, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api, type Schemas } from '../../../api/client';
import { unwrap, type Failure } from '@weir/ui-kit/app';
import { useLiveQuery } from '../../../api/live-query';
import { historySource } from '../../../parts/dag/dag-data';

export interface BackfillRange {
  readonly from: Date;
  readonly to: Date;
}

function backfillsQuery(fileName: string) {
  return queryOptions<Schemas['BackfillsResponse'], Failure>({
    queryKey: ['backfills', fileName],
    queryFn: ({ signal }) => unwrap(api.GET('/dags/{fileName}/backfills', { params: { path: { fileName } }, signal })),
  });
}

/** Reads the backfills of a DAG, again whenever one of its runs has changed. */
export function useBackfills(fileName: string) {
  const client = useQueryClient();
  const { dataUpdatedAt } = useLiveQuery(historySource(fileName));
  const query = useQuery(backfillsQuery(fileName));
  useEffect(
    () => void client.invalidateQueries({ queryKey: backfillsQuery(fileName).queryKey }),
    [client, fileName, dataUpdatedAt],
  );
  return query;
}

/** Reads the runs that a backfill of a range would start. */
export function previewQuery(fileName: string, range: BackfillRange | undefined) {
  const query = { from: range?.from.toISOString() ?? '', to: range?.to.toISOString() ?? '' };
  return queryOptions<Schemas['BackfillPreviewResponse'], Failure>({
    queryKey: ['backfill-preview', fileName, query],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/dags/{fileName}/backfill-preview', { params: { path: { fileName }, query }, signal })),
    enabled: range !== undefined,
    // The range may have new runs.
    staleTime: 0,
    placeholderData: keepPreviousData,
  });
}

export function useStartBackfill(fileName: string) {
  const client = useQueryClient();
  return useMutation<Schemas['Backfill'], Failure, Schemas['StartBackfillRequest']>({
    mutationFn: (body) => unwrap(api.POST('/dags/{fileName}/backfills', { params: { path: { fileName } }, body })),
    onSettled: () => client.invalidateQueries({ queryKey: backfillsQuery(fileName).queryKey }),
  });
}

export function useCancelBackfill(fileName: string) {
  const client = useQueryClient();
  return useMutation<Schemas['Backfill'], Failure, string>({
    mutationFn: (backfillId) =>
      unwrap(
        api.POST('/dags/{fileName}/backfills/{backfillId}/cancel', { params: { path: { fileName, backfillId } } }),
      ),
    onSettled: () => client.invalidateQueries({ queryKey: backfillsQuery(fileName).queryKey }),
  });
}
