import type { AgentToolInfo } from '@weir/workflow-contract';

/** The tools that the agent can have: those for models, and questions to the person. Not loaded before they are asked for. */
export async function listAgentTools(): Promise<readonly AgentToolInfo[]> {
  const { agentTools } = await import('../bundles/agent.js');
  return agentTools.map(({ name, title: label, description }) => ({ name, label, description }));
}
