import { endpoint } from '@weir/http-contract';
import { z } from 'zod';
import { forAdmin, forReaders } from '../common/access';
import { errorAnswers, refusals } from '../common/errors';
import { adapterName, AdaptersResponse, ReplicaAdapterRequest, ReplicaUnloadRequest } from './schemas';

const ofReplicas = {
  400: errorAnswers.invalid,
  401: errorAnswers.unauthenticated,
  403: { description: 'Not from another replica.', reasons: ['key_kind_wrong', 'replica_mark_invalid'] },
} as const;

export const listAdapters = endpoint({
  method: 'GET',
  path: '/adapters',
  operationId: 'listAdapters',
  tag: 'weights',
  summary: 'List LoRA adapters',
  description: 'Those that sessions were started with or that were updated. Sessions of all replicas are counted.',
  access: forReaders,
  success: { status: 200, description: 'The adapters.', schema: AdaptersResponse },
  errors: { 401: errorAnswers.unauthenticated, 403: errorAnswers.forbidden },
});

export const settleReplicaAdapter = endpoint({
  method: 'POST',
  path: '/replicas/adapter',
  operationId: 'settleReplicaAdapter',
  tag: 'weights',
  summary: 'Tell one replica the version of an adapter',
  description: 'For replicas of the proxy among themselves; others are refused.',
  access: forAdmin,
  body: ReplicaAdapterRequest,
  success: {
    status: 200,
    description: 'New generations of the adapter have this version.',
    schema: z
      .object({ version: z.int().describe('Version of the adapter.') })
      .meta({ id: 'ReplicaAdapterResponse', description: 'The version of the adapter.' }),
  },
  errors: ofReplicas,
});

export const releaseAdapter = endpoint({
  method: 'DELETE',
  path: '/adapters/{name}',
  operationId: 'releaseAdapter',
  tag: 'weights',
  summary: 'Release a LoRA adapter',
  description:
    'Unloads all versions that the proxy has loaded, and forgets name, path and version: the next session may name it anew. One that the engine has since its start stays there.',
  access: forAdmin,
  params: z.object({ name: adapterName.describe('Name of the adapter.') }),
  success: { status: 204, description: 'The adapter is released.' },
  errors: {
    ...refusals,
    404: { description: 'There is no such adapter.', reasons: ['adapter_unknown'] },
    409: {
      description: 'Unfinished sessions or running generations have it, or it is being updated.',
      reasons: ['adapter_in_use', 'weights_updating'],
    },
    502: { description: 'The engine did not unload it; the adapter is as before.', reasons: ['engine_refused'] },
    503: { description: 'The engine cannot be reached.', reasons: ['engine_unreachable'] },
    504: { description: 'The engine does not answer.', reasons: ['engine_silent'] },
  },
});

export const unloadReplicaAdapter = endpoint({
  method: 'POST',
  path: '/replicas/adapter_unload',
  operationId: 'unloadReplicaAdapter',
  tag: 'weights',
  summary: 'Have one replica unload an adapter',
  description: 'For replicas of the proxy among themselves; others are refused.',
  access: forAdmin,
  body: ReplicaUnloadRequest,
  success: { status: 204, description: 'The replica has unloaded what nothing runs with.' },
  errors: ofReplicas,
});
