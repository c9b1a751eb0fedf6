import { queryOptions } from '@tanstack/react-query';
import { api, type Schemas } from './client';
import { unwrap, type Failure } from './failure';

/** Measurements are no events of the stream. */
const rereadMs = 15_000;

export const healthQuery = queryOptions<Schemas['HealthResponse'], Failure>({
  queryKey: ['health'],
  queryFn: ({ signal }) => unwrap(api.GET('/health', { signal })),
  refetchInterval: rereadMs,
});
