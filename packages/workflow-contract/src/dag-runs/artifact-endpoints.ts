import { endpoint } from '@weir/http-contract';
import { z } from 'zod';
import { remoteNode } from '../common/parameters';
import { ArtifactPreviewResponse, ArtifactTreeResponse } from './artifact-schemas';
import { invalidRequest, runParams, tag, unauthenticated } from './shared';
import { DagRunId } from '../run-inputs/identity';

const subParams = { ...runParams, subDAGRunId: DagRunId };

const path = z
  .string()
  .min(1)
  .max(4096)
  .refine((text) => !/^[/\\]/.test(text) && !text.split(/[/\\]/).includes('..') && !text.includes('\0'), {
    message: 'must be a relative path without ".."',
  })
  .describe('Path relative to the artifacts folder of the run.');

const treeQuery = z.object({
  remoteNode,
  recursive: z.enum(['true', 'false']).optional().describe('Whether the contents of folders are included.'),
});
const fileQuery = z.object({ remoteNode, path });

const treeSuccess = { status: 200, description: 'The artifacts.', schema: ArtifactTreeResponse } as const;
const previewSuccess = {
  status: 200,
  description: 'The type of the artifact and its content.',
  schema: ArtifactPreviewResponse,
} as const;
const fileSuccess = {
  status: 200,
  description: 'The file, always as an attachment.',
  content: { kind: 'file' },
} as const;

const treeErrors = {
  400: {
    description: 'A parameter is not valid, the node is not this one, or there are more than 10,000 artifacts.',
    reasons: ['request_invalid', 'remote_node_unknown', 'artifacts_too_many'],
  },
  401: unauthenticated,
  404: {
    description: 'There is no such run, it is not visible, or it has no artifacts.',
    reasons: ['dag_run_not_found', 'artifacts_not_found'],
  },
} as const;
const fileErrors = {
  400: invalidRequest,
  401: unauthenticated,
  404: {
    description: 'There is no such run or no such file among its artifacts, or it is not visible.',
    reasons: ['dag_run_not_found', 'artifact_not_found'],
  },
} as const;

export const getDagRunArtifacts = endpoint({
  method: 'GET',
  path: '/dag-runs/{name}/{dagRunId}/artifacts',
  operationId: 'getDAGRunArtifacts',
  tag,
  summary: 'List the artifacts of a run',
  description: 'The id "latest" selects the newest run of the DAG. Links are omitted.',
  access: 'authenticated',
  params: z.object(runParams),
  query: treeQuery,
  success: treeSuccess,
  errors: treeErrors,
});

export const getDagRunArtifactPreview = endpoint({
  method: 'GET',
  path: '/dag-runs/{name}/{dagRunId}/artifacts/preview',
  operationId: 'getDAGRunArtifactPreview',
  tag,
  summary: 'Preview an artifact',
  description: 'The id "latest" selects the newest run of the DAG.',
  access: 'authenticated',
  params: z.object(runParams),
  query: fileQuery,
  success: previewSuccess,
  errors: fileErrors,
});

export const downloadDagRunArtifact = endpoint({
  method: 'GET',
  path: '/dag-runs/{name}/{dagRunId}/artifacts/download',
  operationId: 'downloadDAGRunArtifact',
  tag,
  summary: 'Download an artifact',
  description: 'The id "latest" selects the newest run of the DAG.',
  access: 'authenticated',
  params: z.object(runParams),
  query: fileQuery,
  success: fileSuccess,
  errors: fileErrors,
});

export const getSubDagRunArtifacts = endpoint({
  method: 'GET',
  path: '/dag-runs/{name}/{dagRunId}/sub-dag-runs/{subDAGRunId}/artifacts',
  operationId: 'getSubDAGRunArtifacts',
  tag,
  summary: 'List the artifacts of a child run',
  access: 'authenticated',
  params: z.object(subParams),
  query: treeQuery,
  success: treeSuccess,
  errors: treeErrors,
});

export const getSubDagRunArtifactPreview = endpoint({
  method: 'GET',
  path: '/dag-runs/{name}/{dagRunId}/sub-dag-runs/{subDAGRunId}/artifacts/preview',
  operationId: 'getSubDAGRunArtifactPreview',
  tag,
  summary: 'Preview an artifact of a child run',
  access: 'authenticated',
  params: z.object(subParams),
  query: fileQuery,
  success: previewSuccess,
  errors: fileErrors,
});

export const downloadSubDagRunArtifact = endpoint({
  method: 'GET',
  path: '/dag-runs/{name}/{dagRunId}/sub-dag-runs/{subDAGRunId}/artifacts/download',
  operationId: 'downloadSubDAGRunArtifact',
  tag,
  summary: 'Download an artifact of a child run',
  access: 'authenticated',
  params: z.object(subParams),
  query: fileQuery,
  success: fileSuccess,
  errors: fileErrors,
});
