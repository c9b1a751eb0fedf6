import { endpoint } from '@weir/http-contract';
import { z } from 'zod';
import { errorAnswers } from '../common/errors';
import { remoteNode } from '../common/parameters';
import { specErrors as errors, specFindings as findings, UpdateDagSpecResponse } from './finding-schema';
import { runRefusals } from '../run-inputs/run-request';
import { DagDetails } from './schemas';
import { DagName } from '../run-inputs/identity';
import { maxSpecLength } from '../run-inputs/step-schemas';

const tag = 'dags';
const { unauthenticated, parserBusy, revisionChanged } = errorAnswers;
const params = z.object({ fileName: DagName });
const query = z.object({ remoteNode });
const { 404: notFound } = runRefusals;
const invalidRequest = {
  description: 'The request is not valid, or the node is not this one.',
  reasons: ['request_invalid', 'remote_node_unknown'],
} as const;
const mayNotWrite = {
  description: 'The role does not permit writing DAGs in this workspace, or in the one that the new spec names.',
  reasons: ['role_missing'],
} as const;
const notWritable = {
  description: 'Too many large DAGs are waiting to be parsed, or the folder is not writable.',
  reasons: ['parser_busy', 'dags_folder_not_writable'],
} as const;

export const getDagSpec = endpoint({
  method: 'GET',
  path: '/dags/{fileName}/spec',
  operationId: 'getDAGSpec',
  tag,
  summary: 'Get the spec of a DAG',
  access: 'authenticated',
  hasRevisions: true,
  params,
  query,
  success: {
    status: 200,
    description: 'The text of the file, and what it means.',
    schema: z
      .object({ dag: DagDetails.optional(), spec: z.string().describe('The YAML text.'), errors, findings })
      .meta({ id: 'GetDAGSpecResponse', description: 'The spec of a DAG with its findings.' }),
  },
  errors: { 400: invalidRequest, 401: unauthenticated, 404: notFound, 503: parserBusy },
});

export const updateDagSpec = endpoint({
  method: 'PUT',
  path: '/dags/{fileName}/spec',
  operationId: 'updateDAGSpec',
  audit: { category: 'dag', action: 'dag_update' },
  tag,
  summary: 'Replace the spec of a DAG',
  description: 'A spec with errors is not stored: the answer lists them, and its entity tag is the one of before.',
  access: 'authenticated',
  hasRevisions: true,
  params,
  query,
  body: z
    .object({ spec: z.string().max(maxSpecLength).describe('YAML text.') })
    .meta({ id: 'UpdateDAGSpecRequest', description: 'The new spec.' }),
  success: {
    status: 200,
    description: 'The spec is stored, or has errors.',
    schema: UpdateDagSpecResponse,
  },
  errors: {
    400: invalidRequest,
    401: unauthenticated,
    403: mayNotWrite,
    404: notFound,
    412: revisionChanged,
    503: notWritable,
  },
});

export const deleteDag = endpoint({
  method: 'DELETE',
  path: '/dags/{fileName}',
  operationId: 'deleteDAG',
  audit: { category: 'dag', action: 'dag_delete' },
  tag,
  summary: 'Delete a DAG',
  description: 'Its runs are kept, and those that are active continue.',
  access: 'authenticated',
  hasRevisions: true,
  params,
  query,
  success: { status: 204, description: 'The file was deleted.' },
  errors: {
    400: invalidRequest,
    401: unauthenticated,
    403: mayNotWrite,
    404: notFound,
    412: revisionChanged,
    503: notWritable,
  },
});

export const renameDag = endpoint({
  method: 'POST',
  path: '/dags/{fileName}/rename',
  operationId: 'renameDAG',
  audit: { category: 'dag', action: 'dag_rename' },
  tag,
  summary: 'Rename the file of a DAG',
  description:
    'The suspension of the schedule follows. Runs belong to the name of the DAG, so they follow only if the spec sets it.',
  access: 'authenticated',
  params,
  query,
  body: z.object({ newFileName: DagName }).meta({ id: 'RenameDAGRequest', description: 'The new name of the file.' }),
  success: { status: 200, description: 'The file was renamed.' },
  errors: {
    400: {
      description: 'The request is not valid, the node is not this one, or a run of the DAG is active.',
      reasons: ['request_invalid', 'remote_node_unknown', 'dag_running'],
    },
    401: unauthenticated,
    403: mayNotWrite,
    404: notFound,
    409: { description: 'A DAG of the new name exists already.', reasons: ['dag_exists'] },
    503: notWritable,
  },
});
