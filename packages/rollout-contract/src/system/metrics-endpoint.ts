import { endpoint } from '@weir/http-contract';
import { forReaders } from '../common/access';
import { errorAnswers } from '../common/errors';

/** In the form of Prometheus, and therefore not part of the described API. */
export const metricsEndpoint = endpoint({
  method: 'GET',
  path: '/metrics',
  operationId: 'getMetrics',
  tag: 'system',
  summary: 'Get the metrics',
  access: forReaders,
  success: {
    status: 200,
    description: 'The metrics.',
    content: { kind: 'text', type: 'text/plain; version=0.0.4; charset=utf-8' },
  },
  errors: {
    401: errorAnswers.unauthenticated,
    403: errorAnswers.forbidden,
    503: { description: 'A worker does not answer.', reasons: ['workers_silent'] },
  },
});
