import { endpoint } from '@weir/http-contract';
import { z } from 'zod';
import {
  CreateModelConfigRequest,
  ListModelPresetsResponse,
  ListModelsResponse,
  ModelConfigResponse,
  SetDefaultModelRequest,
  SetDefaultModelResponse,
  UpdateModelConfigRequest,
} from './model-schemas';
import { adminOnly as access, nodeQuery as query, usualErrors } from './shared';

const tag = 'agent';
const path = '/settings/agent/models';
const params = z.object({ modelId: z.string().min(1).max(128).describe('Id of the model.') });
const notFound = { description: 'The model is unknown.', reasons: ['agent_model_not_found'] } as const;
const blank = {
  description: 'The request is not valid, the name or the model is blank, or it is meant for another node.',
  reasons: ['request_invalid', 'agent_setting_blank', 'remote_node_unsupported'],
} as const;
const nameTaken = { description: 'Another model has this name.', reasons: ['agent_model_name_taken'] } as const;

export const listAgentModels = endpoint({
  method: 'GET',
  path,
  operationId: 'listAgentModels',
  tag,
  summary: 'List the models of the agent',
  access,
  query,
  success: { status: 200, description: 'All models.', schema: ListModelsResponse },
  errors: usualErrors,
});

export const createAgentModel = endpoint({
  method: 'POST',
  path,
  operationId: 'createAgentModel',
  audit: { category: 'agent', action: 'agent_model_create' },
  tag,
  summary: 'Add a model',
  description: 'The first model becomes the one that sessions use.',
  access,
  query,
  body: CreateModelConfigRequest,
  success: { status: 201, description: 'The model was added.', schema: ModelConfigResponse },
  errors: {
    ...usualErrors,
    400: blank,
    409: {
      description: 'Another model has this id or name.',
      reasons: ['agent_model_id_taken', 'agent_model_name_taken'],
    },
  },
});

export const updateAgentModel = endpoint({
  method: 'PATCH',
  path: `${path}/{modelId}`,
  operationId: 'updateAgentModel',
  audit: { category: 'agent', action: 'agent_model_update' },
  tag,
  summary: 'Change a model',
  description:
    'A stored key is removed when the address changes to that of another server and no key is given: it would be sent there.',
  access,
  params,
  query,
  body: UpdateModelConfigRequest,
  success: { status: 200, description: 'The model.', schema: ModelConfigResponse },
  errors: { ...usualErrors, 404: notFound, 409: nameTaken },
});

export const deleteAgentModel = endpoint({
  method: 'DELETE',
  path: `${path}/{modelId}`,
  operationId: 'deleteAgentModel',
  audit: { category: 'agent', action: 'agent_model_delete' },
  tag,
  summary: 'Delete a model',
  description: 'In place of the one that sessions use, the oldest of the others is used.',
  access,
  params,
  query,
  success: { status: 204, description: 'The model was deleted.' },
  errors: { ...usualErrors, 404: notFound },
});

export const setDefaultAgentModel = endpoint({
  method: 'PUT',
  path: '/settings/agent/default-model',
  operationId: 'setDefaultAgentModel',
  audit: { category: 'agent', action: 'agent_default_model_update' },
  tag,
  summary: 'Choose the model that sessions use',
  access,
  query,
  body: SetDefaultModelRequest,
  success: { status: 200, description: 'The model is used.', schema: SetDefaultModelResponse },
  errors: { ...usualErrors, 404: notFound },
});

export const listModelPresets = endpoint({
  method: 'GET',
  path: '/settings/agent/model-presets',
  operationId: 'listModelPresets',
  tag,
  summary: 'List known models with their facts',
  description: 'Prices change: the description of each says as of when they are.',
  access,
  query,
  success: { status: 200, description: 'Known models.', schema: ListModelPresetsResponse },
  errors: usualErrors,
});
