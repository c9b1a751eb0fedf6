import { z } from 'zod';

const maxRules = 200;
/** Compiled for every command that is checked, so it is kept short. */
const maxPatternLength = 500;
const maxNameLength = 200;

export const AgentBashRule = z
  .object({
    name: z.string().max(maxNameLength).optional().describe('What the rule is for.'),
    pattern: z
      .string()
      .min(1)
      .max(maxPatternLength)
      .refine(isPattern, 'must be a regular expression')
      .describe('Regular expression that a command has to match.'),
    action: z.enum(['allow', 'deny']).describe('What follows when it does.'),
    enabled: z.boolean().optional().describe('Whether the rule counts. Default: true.'),
  })
  .meta({ id: 'AgentBashRule', description: 'A rule about commands; the first that matches decides.' });

export const AgentBashPolicy = z
  .object({
    rules: z.array(AgentBashRule).max(maxRules).optional().describe('In the order in which they are tried.'),
    defaultBehavior: z.enum(['allow', 'deny']).optional().describe('What counts without a rule. Default: allow.'),
    denyBehavior: z
      .enum(['ask_user', 'block'])
      .optional()
      .describe('Whether a person is asked about a denied command. Default: ask_user.'),
  })
  .meta({ id: 'AgentBashPolicy', description: 'Which commands a tool that executes commands may execute.' });

const toolSwitches = z
  .record(z.string().max(maxNameLength), z.boolean())
  .refine((tools) => Object.keys(tools).length <= maxRules, 'must not have more than 200 tools')
  .describe('Whether each tool is offered, by its name.');

export const AgentToolPolicy = z
  .object({ tools: toolSwitches.optional(), bash: AgentBashPolicy.optional() })
  .meta({ id: 'AgentToolPolicy', description: 'Which tools the agent has.' });

export const AgentWebSearchConfig = z
  .object({
    enabled: z
      .boolean()
      .optional()
      .describe('Whether a model that can search the web itself may do so. Default: true.'),
    maxUses: z.int().min(1).max(1000).optional().describe('How many searches a request may make.'),
  })
  .meta({ id: 'AgentWebSearchConfig', description: 'Searches of the web by the service of a model.' });

export const AgentLimits = z
  .object({
    maxSteps: z.int().min(1).max(1000).optional().describe('Calls of the model for one message. Default: 50.'),
    maxTokens: z
      .int()
      .min(1)
      .max(1_000_000_000)
      .optional()
      .describe('Tokens that one session reads and writes. Default: 2,000,000.'),
    maxCost: z.number().min(0).max(1_000_000).optional().describe('US dollars that one session costs. Default: 10.'),
  })
  .meta({ id: 'AgentLimits', description: 'Where a session ends by itself.' });

const enabled = z.boolean().describe('Whether there is an agent. Default: true.');
const selectedSoulId = z.string().max(128).nullable();

export const AgentConfigResponse = z
  .object({
    enabled,
    defaultModelId: z.string().optional().describe('Id of the model that sessions use; omitted where there is none.'),
    toolPolicy: AgentToolPolicy,
    selectedSoulId: selectedSoulId.describe('Id of the soul that sessions begin with; null for none.'),
    webSearch: AgentWebSearchConfig,
    limits: AgentLimits,
  })
  .meta({ id: 'AgentConfigResponse', description: 'The settings of the agent.' });
export type AgentConfigResponse = z.output<typeof AgentConfigResponse>;

export const UpdateAgentConfigRequest = z
  .object({
    enabled: enabled.optional(),
    defaultModelId: z.string().max(128).optional().describe('Id of a model; an empty text for none.'),
    toolPolicy: AgentToolPolicy.optional(),
    selectedSoulId: selectedSoulId.optional().describe('Id of a soul; null or an empty text for none.'),
    webSearch: AgentWebSearchConfig.optional(),
    limits: AgentLimits.optional(),
  })
  .meta({ id: 'UpdateAgentConfigRequest', description: 'The fields to change; omitted fields are not changed.' });
export type UpdateAgentConfigRequest = z.output<typeof UpdateAgentConfigRequest>;

export const AgentToolInfo = z
  .object({
    name: z.string().describe('By which the policy names it.'),
    label: z.string().describe('Shown to people.'),
    description: z.string().describe('What it does.'),
  })
  .meta({ id: 'AgentToolInfo', description: 'A tool of the agent.' });
export type AgentToolInfo = z.output<typeof AgentToolInfo>;

export const ListAgentToolsResponse = z
  .object({ tools: z.array(AgentToolInfo).describe('All tools, whether the policy offers them or not.') })
  .meta({ id: 'ListAgentToolsResponse', description: 'The tools of the agent.' });

function isPattern(text: string): boolean {
  try {
    new RegExp(text);
    return true;
  } catch {
    return false;
  }
}
