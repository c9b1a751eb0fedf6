import { endpoint } from '@weir/http-contract';
import { z } from 'zod';
import { errorAnswers } from '../common/errors';
import { remoteNode } from '../common/parameters';
import { rolesFrom } from '../common/roles';
import { SpecFinding } from '../dags/finding-schema';
import { maxSpecLength } from '../dags/schemas';

const tag = 'settings';
const path = '/settings/base-config';
const access = rolesFrom('developer');
const query = z.object({ remoteNode });
const errors = z.array(z.string()).describe('The errors, each prefixed with "[line:column]".');
const findings = z.array(SpecFinding).describe('All findings, including warnings.');
const { unauthenticated, forbidden, revisionChanged } = errorAnswers;

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
    schema: z
      .object({ errors, findings })
      .meta({ id: 'UpdateBaseConfigResponse', description: 'The findings of the new base configuration.' }),
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
