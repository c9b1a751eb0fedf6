import { endpoint } from '@weir/http-contract';
import { z } from 'zod';
import { errorAnswers } from '../common/errors';
import { pageQuery, Pagination } from '../common/paging';
import { isWorkspaceQueryValid, remoteNode, workspaceQueryRule } from '../common/parameters';
import { queryInteger } from '../common/query-integer';
import { hasOneLabelFilter, oneLabelFilterRule } from '../dag-runs/run-filter';
import { DagRunDetails } from '../dag-runs/schemas';
import { dagFilter } from './dag-filter';
import { SpecFinding } from './finding-schema';
import { checkRunRequest, runRefusals, runRequest } from '../run-inputs/run-request';
import { DagDetails, DagEditorHints, DagFile, LocalDag } from './schemas';
import { DagName } from '../run-inputs/identity';
import { maxSpecLength } from '../run-inputs/step-schemas';

const tag = 'dags';
const { unauthenticated, parserBusy } = errorAnswers;
const params = z.object({ fileName: DagName });
const query = z.object({ remoteNode });
const spec = z.string().max(maxSpecLength);
const { 404: notFound } = runRefusals;
const invalidRequest = {
  description: 'The request is not valid, or the node is not this one.',
  reasons: ['request_invalid', 'remote_node_unknown'],
} as const;
const mayNotRun = {
  description: 'The role does not permit running DAGs in this workspace.',
  reasons: ['role_missing'],
} as const;

export const listDags = endpoint({
  method: 'GET',
  path: '/dags',
  operationId: 'listDAGs',
  tag,
  summary: 'List DAGs',
  description: '"labels" and "tags" exclude each other.',
  access: 'authenticated',
  query: z
    .object({
      remoteNode,
      ...pageQuery,
      ...dagFilter,
      sort: z
        .enum(['name', 'nextRun'])
        .default('name')
        .describe(
          'By name, case-insensitively, or by next start; DAGs without a next start come last in both directions.',
        ),
      order: z.enum(['asc', 'desc']).default('asc').describe('Sort direction.'),
      recentRuns: queryInteger(0, 20)
        .default(0)
        .describe('How many of its last runs are listed with each DAG: 0 to 20. Default 0.'),
    })
    .refine(isWorkspaceQueryValid, workspaceQueryRule)
    .refine(hasOneLabelFilter, oneLabelFilterRule),
  success: {
    status: 200,
    description: 'A page of DAGs.',
    schema: z
      .object({
        dags: z.array(DagFile).describe('The DAGs of the page.'),
        errors: z.array(z.string()).describe('Errors while reading the folder.'),
        pagination: Pagination,
      })
      .meta({ id: 'ListDAGsResponse', description: 'A page of DAGs.' }),
  },
  errors: {
    400: {
      description: 'A parameter is not valid, both labels and tags are given, or the node is not this one.',
      reasons: ['request_invalid', 'remote_node_unknown'],
    },
    401: unauthenticated,
    404: { description: 'The workspace is not visible.', reasons: ['workspace_not_found'] },
    503: { description: 'The folder is still being read for the first time.', reasons: ['dags_loading'] },
  },
});

export const createNewDag = endpoint({
  method: 'POST',
  path: '/dags',
  operationId: 'createNewDAG',
  audit: { category: 'dag', action: 'dag_create' },
  tag,
  summary: 'Create a DAG file',
  description: 'Without a spec, the file gets one example step. A spec with errors is not stored.',
  access: 'authenticated',
  query,
  body: z
    .object({ name: DagName, spec: spec.optional().describe('YAML text.') })
    .meta({ id: 'CreateDAGRequest', description: 'A new DAG file.' }),
  success: {
    status: 201,
    description: 'The DAG was created.',
    schema: z
      .object({ name: z.string().describe('Name of the DAG.') })
      .meta({ id: 'CreateDAGResponse', description: 'The DAG that was created.' }),
  },
  errors: {
    400: {
      description: 'The name or the spec is not valid.',
      reasons: ['request_invalid', 'spec_invalid', 'remote_node_unknown'],
    },
    401: unauthenticated,
    403: { description: 'The role does not permit writing DAGs in this workspace.', reasons: ['role_missing'] },
    409: { description: 'A DAG of that name exists already.', reasons: ['dag_exists'] },
    503: {
      description: 'Too many large DAGs are waiting to be parsed, or the folder is not writable.',
      reasons: ['parser_busy', 'dags_folder_not_writable'],
    },
  },
});

export const validateDagSpec = endpoint({
  method: 'POST',
  path: '/dags/validate',
  operationId: 'validateDAGSpec',
  audit: 'no-change',
  tag,
  summary: 'Validate a spec without storing it',
  access: 'authenticated',
  query,
  body: z
    .object({
      spec: spec.describe('YAML text.'),
      name: z.string().max(255).optional().describe('Name of the DAG if the spec has none.'),
    })
    .meta({ id: 'ValidateDAGRequest', description: 'A spec to validate.' }),
  success: {
    status: 200,
    description: 'The findings, also for an invalid spec.',
    schema: z
      .object({
        valid: z.boolean().describe('True if there are no errors.'),
        dag: DagDetails.optional(),
        localDags: z.array(LocalDag).optional().describe('Local DAGs of the spec, by name.'),
        errors: z.array(z.string()).describe('The errors, each prefixed with "[line:column]".'),
        findings: z.array(SpecFinding).describe('All findings, including warnings.'),
      })
      .meta({ id: 'ValidateDAGResponse', description: 'The content of a spec and its findings.' }),
  },
  errors: {
    400: {
      description: 'The request is not valid, or the spec takes too long to parse.',
      reasons: ['request_invalid', 'remote_node_unknown', 'spec_too_costly'],
    },
    401: unauthenticated,
    503: parserBusy,
  },
});

export const getDagDetails = endpoint({
  method: 'GET',
  path: '/dags/{fileName}',
  operationId: 'getDAGDetails',
  tag,
  summary: 'Get a DAG',
  description:
    'A file with errors is returned as far as it could be parsed. The latest run of a DAG that never ran has status 0.',
  access: 'authenticated',
  params,
  query,
  success: {
    status: 200,
    description: 'The DAG.',
    schema: z
      .object({
        filePath: z.string().optional().describe('Absolute path of the file.'),
        dag: DagDetails.optional(),
        localDags: z.array(LocalDag).describe('Local DAGs of the file, by name.'),
        latestDAGRun: DagRunDetails,
        suspended: z.boolean().describe('Whether the schedule is suspended.'),
        errors: z.array(z.string()).describe('The errors, each prefixed with "[line:column]".'),
        spec: z.string().optional().describe('The YAML text.'),
        editorHints: DagEditorHints.optional(),
      })
      .meta({ id: 'GetDAGDetailsResponse', description: 'A DAG with its file and its latest run.' }),
  },
  errors: {
    400: invalidRequest,
    401: unauthenticated,
    404: notFound,
    503: parserBusy,
  },
});

export const executeDag = endpoint({
  method: 'POST',
  path: '/dags/{fileName}/start',
  operationId: 'executeDAG',
  audit: { category: 'dag_run', action: 'dag_run_execute' },
  tag,
  summary: 'Start a run',
  description: 'Responds once the run is stored and will be executed. The body may be an empty object.',
  access: 'authenticated',
  params,
  query,
  body: z
    .object(runRequest)
    .superRefine(checkRunRequest)
    .meta({ id: 'ExecuteDAGRequest', description: 'How to run the DAG.' }),
  success: {
    status: 200,
    description: 'The run is stored.',
    schema: z
      .object({ dagRunId: z.string().describe('Id of the run.') })
      .meta({ id: 'ExecuteDAGResponse', description: 'The run that was started.' }),
  },
  errors: runRefusals,
});

export const updateDagSuspensionState = endpoint({
  method: 'POST',
  path: '/dags/{fileName}/suspend',
  operationId: 'updateDAGSuspensionState',
  audit: { category: 'dag', action: 'dag_suspend' },
  tag,
  summary: 'Suspend or resume the schedule of a DAG',
  access: 'authenticated',
  params,
  query,
  body: z
    .object({ suspend: z.boolean().describe('True suspends the schedule.') })
    .meta({ id: 'SuspendDAGRequest', description: 'Whether the DAG is to be suspended.' }),
  success: { status: 200, description: 'The schedule was suspended or resumed.' },
  errors: {
    400: invalidRequest,
    401: unauthenticated,
    403: mayNotRun,
    404: notFound,
    503: parserBusy,
  },
});
