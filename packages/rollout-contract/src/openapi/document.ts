import { emitOpenApi } from '@weir/http-contract/openapi';
import { ErrorResponse } from '../common/errors';
import { rolloutContract } from '../contract';

const tags = [
  { name: 'episodes', description: 'Steps of an episode' },
  { name: 'sessions', description: 'Stored sessions' },
  { name: 'reading', description: 'What the viewer reads, without changing anything' },
  { name: 'weights', description: 'Weight updates' },
  { name: 'system', description: 'Service' },
] as const;

/** The description of the rollout proxy's control operations; `serverUrl` is the path under which they are served. */
export function rolloutOpenApi(serverUrl: string): ReturnType<typeof emitOpenApi> {
  return emitOpenApi({
    title: 'Weir rollout proxy',
    version: '1.0.0',
    description:
      'Records the exact tokens of agents. A key is sent as `Authorization: Bearer`, as `x-api-key` or as `x-goog-api-key`. Model calls go to `/chat/completions`, `/completions`, `/responses` and `/messages`, with or without the prefix `/v1`, and to `/v1beta/models/{model}:generateContent`, in the form of those protocols.',
    serverUrl,
    tags,
    endpoints: Object.values(rolloutContract),
    errorSchema: ErrorResponse,
    defaultDescription: 'Unexpected error. Also 413 (body_too_large).',
  });
}
