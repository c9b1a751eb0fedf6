import type { OfferedTool } from '@weir/workflow-engine';
import type { AgentToolInfo as ListedTool } from '@weir/workflow-contract/schemas';
import { z } from 'zod';
import type { Tool } from '../../mcp/tool';
import { tools } from '../../mcp/tools';

/** A tool in the list of the settings. */
export interface AgentToolInfo {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Whether the tool is enabled where the settings do not say. */
  readonly isDefault: boolean;
}

const title = 'Ask the person';
export const askUser = {
  name: 'ask_user',
  title,
  description: 'Asks the person a question and waits for the answer. Use it where a decision is theirs.',
  input: z.object({
    question: z.string().min(1).max(10_000).describe('What you want to know.'),
    options: z.array(z.string().min(1).max(500)).max(20).optional().describe('Possible answers.'),
    multiSelect: z.boolean().default(false).describe('Whether several options may be chosen. Default false.'),
  }),
} as const;

const all = [...tools, askUser];

/** The agent can have the tools for models, and a question to the person. There is no shell. */
export const agentTools: readonly AgentToolInfo[] = all.map(({ name, title: shown, description }) => {
  return { name, title: shown, description, isDefault: true };
});

/** Lists the tools for the settings. */
export function listAgentTools(): readonly ListedTool[] {
  return agentTools.map(({ name, title: label, description }) => ({ name, label, description }));
}

/** Whether a policy enables a tool; it names only the tools that differ from the default. */
export function isToolEnabled(name: string, policy: Readonly<Record<string, boolean>>): boolean {
  if (Object.hasOwn(policy, name)) return policy[name] === true;
  return agentTools.some((tool) => tool.name === name && tool.isDefault);
}

/** Returns the enabled tools in the form that a model gets. */
export function offeredTools(policy: Readonly<Record<string, boolean>>): readonly OfferedTool[] {
  return all
    .filter(({ name }) => isToolEnabled(name, policy))
    .map(({ name, description, input }) => {
      const { $schema, ...parameters } = z.toJSONSchema(input as z.ZodType, { io: 'input' });
      // A JSON Schema is JSON.
      return { name, description, parameters: parameters as OfferedTool['parameters'] };
    });
}

/** Finds a tool that calls the API. */
export function findTool(name: string): Tool | undefined {
  return tools.find((tool) => tool.name === name);
}
