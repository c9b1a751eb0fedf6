import { endpoint } from '@weir/http-contract';
import { z } from 'zod';
import { pageQuery } from '../common/paging';
import { slug } from './model-schemas';
import { adminOnly as access, nodeQuery as query, usualErrors } from './shared';
import { CreateSoulRequest, ListSoulsResponse, SoulResponse, UpdateSoulRequest } from './soul-schemas';

const tag = 'agent';
const path = '/settings/agent/souls';
const params = z.object({ soulId: slug.min(1).describe('Id of the soul.') });
const notFound = { description: 'The soul is unknown.', reasons: ['agent_soul_not_found'] } as const;
const success = { status: 200, description: 'The soul.', schema: SoulResponse } as const;

export const listAgentSouls = endpoint({
  method: 'GET',
  path,
  operationId: 'listAgentSouls',
  tag,
  summary: 'List the souls of the agent',
  access,
  query: query.extend({
    ...pageQuery,
    q: z.string().max(200).optional().describe('Only those whose name, id or description contains this text.'),
  }),
  success: { status: 200, description: 'A page of souls.', schema: ListSoulsResponse },
  errors: usualErrors,
});

export const createAgentSoul = endpoint({
  method: 'POST',
  path,
  operationId: 'createAgentSoul',
  audit: { category: 'agent', action: 'agent_soul_create' },
  tag,
  summary: 'Add a soul',
  access,
  query,
  body: CreateSoulRequest,
  success: { status: 201, description: 'The soul was added.', schema: SoulResponse },
  errors: {
    ...usualErrors,
    400: {
      description: 'The request is not valid, the name or the content is blank, or it is meant for another node.',
      reasons: ['request_invalid', 'agent_setting_blank', 'remote_node_unsupported'],
    },
    409: {
      description: 'Another soul has this id or name.',
      reasons: ['agent_soul_id_taken', 'agent_soul_name_taken'],
    },
  },
});

export const getAgentSoul = endpoint({
  method: 'GET',
  path: `${path}/{soulId}`,
  operationId: 'getAgentSoul',
  tag,
  summary: 'Get a soul with its content',
  access,
  params,
  query,
  success,
  errors: { ...usualErrors, 404: notFound },
});

export const updateAgentSoul = endpoint({
  method: 'PATCH',
  path: `${path}/{soulId}`,
  operationId: 'updateAgentSoul',
  audit: { category: 'agent', action: 'agent_soul_update' },
  tag,
  summary: 'Change a soul',
  access,
  params,
  query,
  body: UpdateSoulRequest,
  success,
  errors: {
    ...usualErrors,
    404: notFound,
    409: { description: 'Another soul has this name.', reasons: ['agent_soul_name_taken'] },
  },
});

export const deleteAgentSoul = endpoint({
  method: 'DELETE',
  path: `${path}/{soulId}`,
  operationId: 'deleteAgentSoul',
  audit: { category: 'agent', action: 'agent_soul_delete' },
  tag,
  summary: 'Delete a soul',
  access,
  params,
  query,
  success: { status: 204, description: 'The soul was deleted.' },
  errors: { ...usualErrors, 404: notFound },
});
