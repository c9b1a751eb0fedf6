import { queryOptions } from '@tanstack/react-query';
import { api, type Schemas } from './client';
import { isApiError } from '@weir/workflow-client';
import { unwrap, type Failure } from '@weir/ui-kit/app';

/** The stream has no events for measurements. */
const rereadMs = 15_000;

type Health = Schemas['HealthResponse'];

/** Also reads the health of an unhealthy server, which answers with an error. */
export async function readHealth(signal?: AbortSignal): Promise<Health> {
  try {
    return await unwrap(api.GET('/health', signal === undefined ? {} : { signal }));
  } catch (error) {
    if (isApiError(error) && error.details?.status === 'unhealthy') return error.details as Health;
    throw error;
  }
}

export const healthQuery = queryOptions<Health, Failure>({
  queryKey: ['health'],
  queryFn: ({ signal }) => readHealth(signal),
  refetchInterval: rereadMs,
});

/** Whether the server answers at all. */
export async function serverAnswers(): Promise<boolean> {
  try {
    await api.GET('/health/live');
    return true;
  } catch {
    return false;
  }
}
