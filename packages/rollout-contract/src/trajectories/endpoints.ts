import { endpoint } from '@weir/http-contract';
import { forAdmin } from '../common/access';
import { errorAnswers, sessionRefusals } from '../common/errors';
import { AcknowledgeRequest, AcknowledgeResponse, ExportRequest, ExportResponse } from './schemas';

export const exportTrajectories = endpoint({
  method: 'POST',
  path: '/export_trajectories',
  operationId: 'exportTrajectories',
  tag: 'episodes',
  summary: 'Export the trajectories of a session',
  description:
    'Invalidates the session key. The data is retained until it is acknowledged or expires, so an export can be repeated. With `format: safetensors`, or an `Accept` header with `application/x-safetensors`, the answer is a file whose metadata has the other fields of the JSON answer. With `Accept-Encoding: zstd` it is compressed, to about half.',
  access: forAdmin,
  body: ExportRequest,
  success: {
    status: 200,
    description: 'The trajectories.',
    schema: ExportResponse,
    content: { kind: 'bytes', type: 'application/x-safetensors' },
    isCompressed: true,
  },
  errors: {
    400: {
      description: 'The request is not valid; nothing was changed.',
      reasons: ['request_invalid', 'export_style_invalid', 'scorer_ambiguous'],
    },
    401: errorAnswers.unauthenticated,
    403: errorAnswers.forbidden,
    404: errorAnswers.sessionUnknown,
    409: {
      description:
        'The session has not ended, something is not proven with `strict`, a tensor of `include_tensors` was not recorded, or the idempotency key was used with another request.',
      reasons: ['session_not_ended', 'export_unproven', 'tensor_not_recorded', 'idempotency_key_reused'],
    },
  },
});

export const acknowledgeExport = endpoint({
  method: 'POST',
  path: '/rl/acknowledge_export',
  operationId: 'acknowledgeExport',
  tag: 'episodes',
  summary: 'Acknowledge an export',
  description: 'Deletes the session with all its data.',
  access: forAdmin,
  body: AcknowledgeRequest,
  success: { status: 200, description: 'The session was deleted.', schema: AcknowledgeResponse },
  errors: {
    ...sessionRefusals,
    409: { description: 'The session was not exported.', reasons: ['session_not_exported'] },
  },
});
