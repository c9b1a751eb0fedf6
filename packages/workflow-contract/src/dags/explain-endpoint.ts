import { endpoint } from '@weir/http-contract';
import { z } from 'zod';
import { errorAnswers } from '../common/errors';
import { remoteNode } from '../common/parameters';
import { DagExplanation } from './dag-explanation-schemas';
import { runRefusals } from '../run-inputs/run-request';
import { DagName } from '../run-inputs/identity';

const { unauthenticated, parserBusy } = errorAnswers;

export const explainDag = endpoint({
  method: 'GET',
  path: '/dags/{fileName}/explain',
  operationId: 'explainDAG',
  tag: 'dags',
  summary: 'Explain why the schedule of a DAG does not start it, or why an occurrence has no run',
  description: 'What happened is read from the event log, and known as long as that.',
  access: 'authenticated',
  params: z.object({ fileName: DagName }),
  query: z.object({
    remoteNode,
    occurrence: z.iso
      .datetime({ offset: true })
      .optional()
      .describe('The moment that is asked about, of the past or not. Default: the next occurrence.'),
  }),
  success: { status: 200, description: 'The causes.', schema: DagExplanation },
  errors: {
    400: {
      description: 'A parameter is not valid, or the node is not this one.',
      reasons: ['request_invalid', 'remote_node_unknown'],
    },
    401: unauthenticated,
    404: runRefusals[404],
    503: parserBusy,
  },
});
