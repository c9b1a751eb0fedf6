import type { ModelConfigResponse } from '@weir/workflow-contract/schemas';
import type { StoredModel } from './agent-stores';

/** Leaves out the key of the model. */
export function presentModel(stored: StoredModel): ModelConfigResponse {
  const { id, name, provider, model, baseUrl, keyText, facts, description } = stored;
  return {
    id,
    name,
    provider,
    model,
    apiKeyConfigured: keyText !== null,
    ...(baseUrl === null ? {} : { baseUrl }),
    ...facts,
    ...(description === '' ? {} : { description }),
  };
}
