import type { AgentConfigResponse, AgentToolInfo, UpdateAgentConfigRequest } from '@weir/workflow-contract/schemas';
import type { Clock } from '@weir/workflow-engine/model';
import type { AuditedOperation } from '../../access/audited-operation';
import type { AgentConfig, ToolPolicy } from './agent-settings';
import type { ConfigRepository, StoredConfig, StoredToolPolicy } from './agent-stores';

export interface ConfigServicePorts {
  readonly agentStores: { readonly config: ConfigRepository };
  /** Lists all tools that the agent can have. */
  readonly listTools: () => Promise<readonly AgentToolInfo[]>;
  readonly clock: Clock;
}

export type ConfigService = ReturnType<typeof createConfigService>;

const defaultLimits: AgentConfig['limits'] = { maxSteps: 50, maxTokens: 2_000_000, maxCost: 10 };

/** Serves the settings of the agent apart from models, souls and memories. */
export function createConfigService({ agentStores: { config }, listTools, clock }: ConfigServicePorts) {
  const complete = async (stored: StoredConfig): Promise<AgentConfig> => ({
    isEnabled: stored.isEnabled,
    defaultModelId: stored.defaultModelId ?? undefined,
    selectedSoulId: stored.selectedSoulId ?? undefined,
    toolPolicy: completePolicy(stored.toolPolicy, await listTools()),
    webSearch: { ...stored.webSearch, enabled: stored.webSearch.enabled ?? true },
    limits: { ...defaultLimits, ...stored.limits },
  });
  return {
    listTools,
    read: async () => complete(await config.read()),

    /** Throws `agent_model_unknown` or `agent_soul_unknown`. */
    async update({ enabled, ...request }: UpdateAgentConfigRequest, audit: AuditedOperation): Promise<AgentConfig> {
      const { defaultModelId, selectedSoulId, toolPolicy, webSearch, limits } = request;
      const changes: Partial<StoredConfig> = {
        ...(enabled === undefined ? {} : { isEnabled: enabled }),
        ...(defaultModelId === undefined ? {} : { defaultModelId: defaultModelId === '' ? null : defaultModelId }),
        ...(selectedSoulId === undefined ? {} : { selectedSoulId: selectedSoulId === '' ? null : selectedSoulId }),
        ...(toolPolicy === undefined ? {} : { toolPolicy: ofKnownTools(toolPolicy, await listTools()) }),
        ...(webSearch === undefined ? {} : { webSearch }),
        ...(limits === undefined ? {} : { limits: given(limits) }),
      };
      return complete(await config.update(changes, clock.now(), audit));
    },
  };
}

export function presentConfig({
  isEnabled,
  defaultModelId,
  selectedSoulId,
  ...others
}: AgentConfig): AgentConfigResponse {
  const { toolPolicy, webSearch, limits } = others;
  const { tools, bash } = toolPolicy;
  return {
    enabled: isEnabled,
    ...(defaultModelId === undefined ? {} : { defaultModelId }),
    selectedSoulId: selectedSoulId ?? null,
    toolPolicy: { tools: { ...tools }, bash: { ...bash, rules: bash.rules.map((rule) => ({ ...rule })) } },
    webSearch,
    limits,
  };
}

function completePolicy({ tools = {}, bash = {} }: StoredToolPolicy, known: readonly AgentToolInfo[]): ToolPolicy {
  const { rules = [], defaultBehavior = 'allow', denyBehavior = 'ask_user' } = bash;
  return {
    tools: Object.fromEntries(known.map(({ name }) => [name, tools[name] ?? true])),
    bash: { rules, defaultBehavior, denyBehavior },
  };
}

function ofKnownTools(policy: StoredToolPolicy, known: readonly AgentToolInfo[]): StoredToolPolicy {
  const names = new Set(known.map(({ name }) => name));
  return {
    ...policy,
    tools: Object.fromEntries(Object.entries(policy.tools ?? {}).filter(([name]) => names.has(name))),
  };
}

function given(limits: NonNullable<UpdateAgentConfigRequest['limits']>): StoredConfig['limits'] {
  const { maxSteps, maxTokens, maxCost } = limits;
  return {
    ...(maxSteps === undefined ? {} : { maxSteps }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(maxCost === undefined ? {} : { maxCost }),
  };
}
