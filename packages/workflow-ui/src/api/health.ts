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

/** Whether there is any answer. */
export async function serverAnswers(): Promise<boolean> {
  try {
    await api.GET('/health');
    return true;
  } catch {
    return false;
  }
}
