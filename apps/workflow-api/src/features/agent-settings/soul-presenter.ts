import type { SoulResponse } from '@weir/workflow-contract/schemas';
import type { AgentSoul } from './agent-settings';

export function presentSoul({ id, name, description, content }: AgentSoul): SoulResponse {
  return { id, name, ...(description === '' ? {} : { description }), content };
}
