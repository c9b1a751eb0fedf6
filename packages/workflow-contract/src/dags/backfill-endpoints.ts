import { endpoint } from '@weir/http-contract';
import { z } from 'zod';
import { errorAnswers } from '../common/errors';
import { remoteNode } from '../common/parameters';
import { Backfill, BackfillDetails, BackfillPreviewResponse, backfillRange } from './backfill-schemas';
import { runRefusals, runRequest } from '../run-inputs/run-request';
import { DagName } from '../run-inputs/identity';

const tag = 'dags';
const { unauthenticated, parserBusy } = errorAnswers;
const params = z.object({ fileName: DagName });
const oneBackfill = params.extend({ backfillId: z.string().min(1).max(64).describe('Id of the backfill.') });
const query = z.object({ remoteNode });
const invalidRequest = {
  description: 'A parameter is not valid, or the node is not this one.',
  reasons: ['request_invalid', 'remote_node_unknown'],
} as const;
const notFound = {
  description: 'The DAG or the backfill is unknown or not visible.',
  reasons: ['dag_not_found', 'backfill_not_found'],
} as const;
const mayNotRun = {
  description: 'The role does not permit running DAGs in this workspace.',
  reasons: ['role_missing'],
} as const;

export const previewBackfill = endpoint({
  method: 'GET',
  path: '/dags/{fileName}/backfill-preview',
  operationId: 'previewBackfill',
  tag,
  summary: 'Preview a backfill of the schedule of a DAG',
  description: 'The occurrences in the range, which of them have a run, and where clocks change.',
  access: 'authenticated',
  params,
  query: z.object({ remoteNode, ...backfillRange }),
  success: { status: 200, description: 'The occurrences.', schema: BackfillPreviewResponse },
  errors: {
    400: {
      description: 'A parameter is not valid, the range is empty or not in the past, or the node is not this one.',
      reasons: ['request_invalid', 'range_empty', 'range_not_past', 'remote_node_unknown'],
    },
    401: unauthenticated,
    404: { description: 'The DAG is unknown or not visible.', reasons: ['dag_not_found'] },
    503: parserBusy,
  },
});

export const startBackfill = endpoint({
  method: 'POST',
  path: '/dags/{fileName}/backfills',
  operationId: 'startBackfill',
  audit: { category: 'dag', action: 'backfill_start' },
  tag,
  summary: 'Run the occurrences of a range that have no run',
  description:
    'The runs are queued in the order of their occurrences, at most "maxActive" at a time. The overlap policy of the DAG does not apply. An occurrence that has a run gets no second one, whoever starts it.',
  access: 'authenticated',
  params,
  query,
  body: z
    .object({
      ...backfillRange,
      maxActive: z.int().min(1).max(100).default(1).describe('Most runs of it at a time: 1 to 100. Default 1.'),
      params: runRequest.params,
    })
    .meta({ id: 'StartBackfillRequest', description: 'A range of occurrences to run.' }),
  success: { status: 201, description: 'The backfill was started.', schema: Backfill },
  errors: {
    ...runRefusals,
    400: {
      description:
        'The request is not valid, the DAG has errors or no start schedule, or the range is empty, not in the past, or has no occurrences or more than 1,000.',
      reasons: [
        'request_invalid',
        'remote_node_unknown',
        'spec_invalid',
        'params_invalid',
        'range_empty',
        'range_not_past',
        'no_occurrences',
        'too_many_occurrences',
      ],
    },
    403: {
      description:
        'The role does not permit running DAGs in this workspace, or the name of the DAG belongs to another workspace.',
      reasons: ['role_missing', 'dag_name_of_other_workspace'],
    },
    409: { description: 'A backfill of the DAG is active.', reasons: ['backfill_active'] },
    503: parserBusy,
  },
});

export const listBackfills = endpoint({
  method: 'GET',
  path: '/dags/{fileName}/backfills',
  operationId: 'listBackfills',
  tag,
  summary: 'List the backfills of a DAG',
  access: 'authenticated',
  params,
  query,
  success: {
    status: 200,
    description: 'The backfills.',
    schema: z
      .object({ backfills: z.array(Backfill).describe('Newest first; the last 50 that have ended.') })
      .meta({ id: 'BackfillsResponse', description: 'The backfills of a DAG.' }),
  },
  errors: {
    400: invalidRequest,
    401: unauthenticated,
    404: { description: 'The DAG is unknown or not visible.', reasons: ['dag_not_found'] },
    503: parserBusy,
  },
});

export const getBackfill = endpoint({
  method: 'GET',
  path: '/dags/{fileName}/backfills/{backfillId}',
  operationId: 'getBackfill',
  tag,
  summary: 'Get a backfill and its progress',
  access: 'authenticated',
  params: oneBackfill,
  query,
  success: { status: 200, description: 'The backfill.', schema: BackfillDetails },
  errors: { 400: invalidRequest, 401: unauthenticated, 404: notFound, 503: parserBusy },
});

export const cancelBackfill = endpoint({
  method: 'POST',
  path: '/dags/{fileName}/backfills/{backfillId}/cancel',
  operationId: 'cancelBackfill',
  audit: { category: 'dag', action: 'backfill_cancel' },
  tag,
  summary: 'Cancel a backfill',
  description: 'No more runs are started, and those that are queued are dequeued. Runs that are executed continue.',
  access: 'authenticated',
  params: oneBackfill,
  query,
  success: { status: 200, description: 'The backfill as it ended.', schema: Backfill },
  errors: {
    400: invalidRequest,
    401: unauthenticated,
    403: mayNotRun,
    404: notFound,
    409: { description: 'The backfill has ended.', reasons: ['backfill_ended'] },
    503: parserBusy,
  },
});
