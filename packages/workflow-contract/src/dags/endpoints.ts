import { endpoint } from '@weir/http-contract';
import { z } from 'zod';
import { errorAnswers } from '../common/errors';
import { pageQuery, Pagination } from '../common/paging';
import { isWorkspaceQueryValid, remoteNode, workspaceQuery, workspaceQueryRule } from '../common/parameters';
import { DagRunDetails } from '../dag-runs/schemas';
import { hasLabelsOnce, labelsOnce, runRefusals, runRequest } from './run-request';
import { DagDetails, DagEditorHints, DagFile, DagName, LocalDag, maxSpecLength } from './schemas';

const tag = 'dags';
const { unauthenticated, parserBusy } = errorAnswers;
const params = z.object({ fileName: DagName });
const query = z.object({ remoteNode });
const spec = z.string().max(maxSpecLength);
const { 404: notFound } = runRefusals;
const invalidRequest = {
  description: 'The request is not valid, or meant for another node.',
  reasons: ['request_invalid', 'remote_node_unknown'],
} as const;
const mayNotRun = { description: 'The role does not allow to run DAGs here.', reasons: ['role_missing'] } as const;

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
      ...workspaceQuery,
      name: z
        .string()
        .max(255)
        .optional()
        .describe('Only DAGs whose name or file name contains this text, in any case.'),
      labels: z
        .string()
        .max(4096)
        .optional()
        .describe(
          'Comma-separated labels that a DAG must all have: "key", "key=value", "!key"; "*" and "?" are wildcards.',
        ),
      tags: z.string().max(4096).optional().meta({ description: 'Old name of labels.', deprecated: true }),
      sort: z
        .enum(['name', 'nextRun'])
        .default('name')
        .describe('By name without regard to case, or by next start; DAGs without one come last in both orders.'),
      order: z.enum(['asc', 'desc']).default('asc').describe('Direction of the order.'),
    })
    .refine(isWorkspaceQueryValid, workspaceQueryRule)
    .refine((given) => !given.labels || !given.tags, {
      message: '"labels" and "tags" exclude each other.',
      path: ['tags'],
    }),
  success: {
    status: 200,
    description: 'A page of DAGs.',
    schema: z
      .object({
        dags: z.array(DagFile).describe('The DAGs of the page.'),
        errors: z.array(z.string()).describe('What went wrong while reading the folder.'),
        pagination: Pagination,
      })
      .meta({ id: 'ListDAGsResponse', description: 'A page of DAGs.' }),
  },
  errors: {
    400: {
      description: 'A parameter is not valid, labels and tags are both given, or another node is meant.',
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
  tag,
  summary: 'Create a DAG file',
  description: 'Without a spec the file gets one step that says hello. A spec with errors is not stored.',
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
    403: { description: 'The role does not allow to write DAGs here.', reasons: ['role_missing'] },
    409: { description: 'There is a DAG of that name.', reasons: ['dag_exists'] },
    503: {
      description: 'Too many large DAGs are waiting to be read, or the folder cannot be written to.',
      reasons: ['parser_busy', 'dags_folder_not_writable'],
    },
  },
});

export const validateDagSpec = endpoint({
  method: 'POST',
  path: '/dags/validate',
  operationId: 'validateDAGSpec',
  tag,
  summary: 'Check a spec without storing it',
  access: 'authenticated',
  query,
  body: z
    .object({
      spec: spec.describe('YAML text.'),
      name: z.string().max(255).optional().describe('Name of the DAG where the spec has none.'),
    })
    .meta({ id: 'ValidateDAGRequest', description: 'A spec to check.' }),
  success: {
    status: 200,
    description: 'What was found, also for a spec that is broken.',
    schema: z
      .object({
        valid: z.boolean().describe('True when there are no errors.'),
        dag: DagDetails.optional(),
        errors: z.array(z.string()).describe('The errors, each with "[line:column]" in front.'),
        findings: z
          .array(
            z
              .object({
                code: z.string().describe('Stable word for the kind of finding.'),
                severity: z.enum(['error', 'warning', 'info']).describe('Only errors keep a DAG from running.'),
                message: z.string().describe('What is wrong.'),
                path: z.string().describe('JSON pointer into the document.'),
                line: z.int().describe('First line, from 1.'),
                column: z.int().describe('First column, from 1.'),
                endLine: z.int().describe('Last line.'),
                endColumn: z.int().describe('Column after the last.'),
                startByte: z.int().describe('First byte of the UTF-8 text, from 0.'),
                endByte: z.int().describe('Byte after the last.'),
                fix: z
                  .object({
                    title: z.string().describe('What the change does.'),
                    text: z.string().describe('What the range is replaced by.'),
                    line: z.int().describe('First line, from 1.'),
                    column: z.int().describe('First column, from 1.'),
                    endLine: z.int().describe('Last line.'),
                    endColumn: z.int().describe('Column after the last.'),
                  })
                  .optional()
                  .meta({ id: 'FindingFix', description: 'One change that fixes what the finding is about.' }),
              })
              .meta({ id: 'Finding', description: 'An error, warning or note about a location in a spec.' }),
          )
          .describe('Everything found, warnings included.'),
      })
      .meta({ id: 'ValidateDAGResponse', description: 'What a spec holds and what is wrong with it.' }),
  },
  errors: {
    400: {
      description: 'The request is not valid, or the spec takes too long to read.',
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
  summary: 'Read a DAG',
  description:
    'A file with errors is shown too, with what could be read of it. A DAG that never ran has a latest run of status 0.',
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
        suspended: z.boolean().describe('Whether the schedule is switched off.'),
        errors: z.array(z.string()).describe('The errors, each with "[line:column]" in front.'),
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
  tag,
  summary: 'Start a run',
  description: 'Answers once the run is stored and will be executed; an empty object is a sufficient body.',
  access: 'authenticated',
  params,
  query,
  body: z
    .object(runRequest)
    .refine(hasLabelsOnce, labelsOnce)
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
  tag,
  summary: 'Switch the schedule of a DAG off or on',
  access: 'authenticated',
  params,
  query,
  body: z
    .object({ suspend: z.boolean().describe('True switches the schedule off.') })
    .meta({ id: 'SuspendDAGRequest', description: 'Whether the DAG is to be suspended.' }),
  success: { status: 200, description: 'The DAG is in that state now.' },
  errors: {
    400: invalidRequest,
    401: unauthenticated,
    403: mayNotRun,
    404: notFound,
    503: parserBusy,
  },
});
