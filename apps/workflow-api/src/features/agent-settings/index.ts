export type {
  AgentConfig,
  AgentLimits,
  AgentSettings,
  AgentSoul,
  BashPolicy,
  ModelProtocol,
  ToolPolicy,
  UsableModel,
} from './agent-settings';
export type { AgentStores } from './agent-stores';
export { loadAgentSettings, type AgentSettingsPorts, type ServedAgentSettings } from './create-agent-settings';
export { createInMemoryAgentStores } from './in-memory-agent-stores';
export { createPrismaAgentStores } from './prisma-agent-stores';
