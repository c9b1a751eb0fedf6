import type { Variables, VariableValues } from '@weir/service-kit';
import { folderPath, type Folders } from './config-values';

/** Settings for the providers at which the server signs in for models. */
export const agentProviderVariables = {
  WEIR_AGENT_PROVIDERS_FILE: {
    schema: folderPath.min(1).optional(),
    defaultText: 'none',
    description: 'YAML file with the providers at which admins can sign the server in for models of the agent.',
  },
} as const satisfies Variables;

export interface AgentProviderConfig {
  readonly agentProviders: { readonly agentProvidersFile: string | undefined };
}

export function readAgentProviderConfig(
  { WEIR_AGENT_PROVIDERS_FILE: file }: VariableValues<typeof agentProviderVariables>,
  { absolute }: Folders,
): AgentProviderConfig {
  return { agentProviders: { agentProvidersFile: file === undefined ? undefined : absolute(file) } };
}
