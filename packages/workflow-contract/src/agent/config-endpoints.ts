import { endpoint } from '@weir/http-contract';
import { AgentConfigResponse, ListAgentToolsResponse, UpdateAgentConfigRequest } from './config-schemas';
import { adminOnly as access, nodeQuery as query, usualErrors } from './shared';

const path = '/settings/agent';

export const getAgentConfig = endpoint({
  method: 'GET',
  path,
  operationId: 'getAgentConfig',
  tag: 'settings',
  summary: 'Get the settings of the agent',
  access,
  query,
  success: { status: 200, description: 'The settings.', schema: AgentConfigResponse },
  errors: usualErrors,
});

export const updateAgentConfig = endpoint({
  method: 'PATCH',
  path,
  operationId: 'updateAgentConfig',
  audit: { category: 'agent', action: 'agent_config_update' },
  tag: 'settings',
  summary: 'Change the settings of the agent',
  description: 'What a tool policy leaves out has its default. Names that are no tools of this server are dropped.',
  access,
  query,
  body: UpdateAgentConfigRequest,
  success: { status: 200, description: 'The settings.', schema: AgentConfigResponse },
  errors: {
    ...usualErrors,
    400: {
      description: 'The request is not valid, the model or the soul is unknown, or it is meant for another node.',
      reasons: ['request_invalid', 'agent_model_unknown', 'agent_soul_unknown', 'remote_node_unsupported'],
    },
  },
});

export const listAgentTools = endpoint({
  method: 'GET',
  path: `${path}/tools`,
  operationId: 'listAgentTools',
  tag: 'agent',
  summary: 'List the tools of the agent',
  access,
  query,
  success: { status: 200, description: 'The tools.', schema: ListAgentToolsResponse },
  errors: usualErrors,
});
