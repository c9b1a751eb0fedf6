import { endpoint } from '@weir/http-contract';
import { z } from 'zod';
import { errorAnswers } from '../common/errors';
import { remoteNode } from '../common/parameters';
import { rolesFrom } from '../common/roles';
import { SpecFinding } from '../dags/finding-schema';
import {
  DagRevisionDiffResponse,
  DagRevisionResponse,
  DagRevisionsResponse,
  revisionDiffFrom,
  revisionNumber,
  revisionPaging,
} from '../dags/revision-schema';
import { maxSpecLength } from '../run-inputs/step-schemas';

const tag = 'settings';
const path = '/settings/base-config';
const access = rolesFrom('developer');
const query = z.object({ remoteNode });
const errors = z.array(z.string()).describe('The errors, each prefixed with "[line:column]".');
const findings = z.array(SpecFinding).describe('All findings, including warnings.');
const { unauthenticated, forbidden, revisionChanged } = errorAnswers;

const UpdateBaseConfigResponse = z
  .object({ errors, findings })
  .meta({ id: 'UpdateBaseConfigResponse', description: 'The findings of the new base configuration.' });

export const getBaseConfig = endpoint({
  method: 'GET',
  path,
  operationId: 'getBaseConfig',
  tag,
  summary: 'Get the base configuration of all DAGs',
  description: 'A missing file has an empty spec.',
  access,
  hasRevisions: true,
  query,
  success: {
    status: 200,
    description: 'The base configuration.',
    schema: z
      .object({ spec: z.string().describe('The YAML text.'), errors, findings })
      .meta({ id: 'BaseConfigResponse', description: 'The base configuration with its findings.' }),
  },
  errors: {
    400: { description: 'The node is not this one.', reasons: ['request_invalid', 'remote_node_unknown'] },
    401: unauthenticated,
    403: forbidden,
  },
});

export const updateBaseConfig = endpoint({
  method: 'PUT',
  path,
  operationId: 'updateBaseConfig',
  audit: { category: 'settings', action: 'base_config_update' },
  tag,
  summary: 'Replace the base configuration of all DAGs',
  description: 'A configuration with errors is not stored.',
  access,
  hasRevisions: true,
  query,
  body: z
    .object({ spec: z.string().max(maxSpecLength).describe('YAML text.') })
    .meta({ id: 'UpdateBaseConfigRequest', description: 'The new base configuration.' }),
  success: {
    status: 200,
    description: 'The base configuration is stored.',
    schema: UpdateBaseConfigResponse,
  },
  errors: {
    400: {
      description: 'The configuration has errors, or the node is not this one.',
      reasons: ['request_invalid', 'spec_invalid', 'remote_node_unknown'],
    },
    401: unauthenticated,
    403: forbidden,
    412: revisionChanged,
    503: { description: 'The file is not writable.', reasons: ['base_config_not_writable'] },
  },
});

const oneRevision = z.object({ revision: revisionNumber });
const invalidRequest = {
  description: 'A parameter is not valid, or the node is not this one.',
  reasons: ['request_invalid', 'remote_node_unknown'],
} as const;
const revisionNotFound = { description: 'There is no such revision.', reasons: ['revision_not_found'] } as const;

export const listBaseConfigRevisions = endpoint({
  method: 'GET',
  path: `${path}/revisions`,
  operationId: 'listBaseConfigRevisions',
  tag,
  summary: 'List the revisions of the base configuration',
  access,
  query: z.object({ remoteNode, ...revisionPaging }),
  success: { status: 200, description: 'A page of revisions.', schema: DagRevisionsResponse },
  errors: {
    400: {
      description: 'A parameter is not valid, the cursor belongs to another list, or the node is not this one.',
      reasons: ['request_invalid', 'cursor_invalid', 'remote_node_unknown'],
    },
    401: unauthenticated,
    403: forbidden,
  },
});

export const getBaseConfigRevision = endpoint({
  method: 'GET',
  path: `${path}/revisions/{revision}`,
  operationId: 'getBaseConfigRevision',
  tag,
  summary: 'Get a revision of the base configuration with its text',
  access,
  params: oneRevision,
  query,
  success: { status: 200, description: 'The revision.', schema: DagRevisionResponse },
  errors: { 400: invalidRequest, 401: unauthenticated, 403: forbidden, 404: revisionNotFound },
});

export const getBaseConfigRevisionDiff = endpoint({
  method: 'GET',
  path: `${path}/revisions/{revision}/diff`,
  operationId: 'getBaseConfigRevisionDiff',
  tag,
  summary: 'Compare two revisions of the base configuration',
  access,
  params: oneRevision,
  query: z.object({ remoteNode, from: revisionDiffFrom }),
  success: { status: 200, description: 'The difference.', schema: DagRevisionDiffResponse },
  errors: { 400: invalidRequest, 401: unauthenticated, 403: forbidden, 404: revisionNotFound },
});

export const restoreBaseConfigRevision = endpoint({
  method: 'POST',
  path: `${path}/revisions/{revision}/restore`,
  operationId: 'restoreBaseConfigRevision',
  audit: { category: 'settings', action: 'base_config_restore' },
  tag,
  summary: 'Give the base configuration the text of a revision again',
  description: 'The text becomes a new revision. That of a removed file is empty.',
  access,
  hasRevisions: true,
  params: oneRevision,
  query,
  success: { status: 200, description: 'The text is stored.', schema: UpdateBaseConfigResponse },
  errors: {
    400: {
      description: 'The text has errors, or the node is not this one.',
      reasons: ['request_invalid', 'spec_invalid', 'remote_node_unknown'],
    },
    401: unauthenticated,
    403: forbidden,
    404: revisionNotFound,
    412: revisionChanged,
    503: { description: 'The file is not writable.', reasons: ['base_config_not_writable'] },
  },
});
