import { endpoint } from '@weir/http-contract';
import { z } from 'zod';
import { forAdmin, forReaders } from '../common/access';
import { errorAnswers } from '../common/errors';
import { AdaptersResponse, ReplicaAdapterRequest } from './schemas';

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
  errors: {
    400: errorAnswers.invalid,
    401: errorAnswers.unauthenticated,
    403: { description: 'Not from another replica.', reasons: ['key_kind_wrong', 'replica_mark_invalid'] },
  },
});
