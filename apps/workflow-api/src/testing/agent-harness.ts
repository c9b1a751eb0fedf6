import { Secret } from '@weir/service-kit';
import { createRecordingLogger, startModelServer, waitFor, type ModelServer } from '@weir/test-kit';
import { AgentSessionDetailResponse, type AgentMessage } from '@weir/workflow-contract/schemas';
import { systemTimer } from '@weir/workflow-engine/model';
import { systemClock } from '../adapters/clock';
import { systemRandom } from '../adapters/random-source';
import { createAgent, createInMemorySessionRepository, type Agent, type SessionRepository } from '../features/agent';
import type { AgentConfig, AgentSettings, UsableModel } from '../features/agent-settings';
import { createTestApi, type TestApi } from './test-api';
import { createTestWorkflow, type TestWorkflow } from './workflow-api';

export interface AgentHarness {
  readonly api: TestApi;
  readonly workflow: TestWorkflow;
  readonly model: ModelServer;
  readonly agent: Agent;
  readonly sessions: SessionRepository;
  /** The settings of the agent, which a spec may change. */
  readonly config: { -readonly [Name in keyof AgentConfig]: AgentConfig[Name] };
  /** The models that can be called, by id; the first is the default. */
  readonly models: Map<string, UsableModel>;
  /** The texts of admins about DAGs, and the general one under the empty name. */
  readonly memories: Map<string, string>;
  /** Starts a session of this key, waits until the agent rests, and returns it. */
  readonly talk: (as: string, message: string, more?: object) => Promise<AgentSessionDetailResponse>;
  readonly read: (as: string, id: string) => Promise<AgentSessionDetailResponse>;
  /** Waits until the agent rests. */
  readonly rest: (as: string, id: string) => Promise<AgentSessionDetailResponse>;
  readonly stop: () => Promise<void>;
}

/** Creates the application with an agent whose model replies by a script. */
export async function createAgentHarness(): Promise<AgentHarness> {
  const model = await startModelServer();
  const workflow = await createTestWorkflow({ roles: ['api', 'worker'] });
  const models = new Map<string, UsableModel>([['small', aModel(model.baseUrl)]]);
  const memories = new Map<string, string>();
  const config: AgentHarness['config'] = {
    isEnabled: true,
    defaultModelId: undefined,
    selectedSoulId: undefined,
    webSearch: { enabled: false },
    toolPolicy: { tools: {}, bash: { rules: [], defaultBehavior: 'deny', denyBehavior: 'block' } },
    limits: { maxSteps: 5, maxTokens: 100_000, maxCost: 10 },
  };
  const settings: AgentSettings = {
    config: () => Promise.resolve(config),
    findUsableModel: (id) => Promise.resolve(id === undefined ? [...models.values()][0] : models.get(id)),
    soul: () => Promise.resolve(undefined),
    memory: (dagName = '') => Promise.resolve(memories.get(dagName) ?? ''),
  };
  const logger = createRecordingLogger();
  const { audit } = workflow.application;
  const sessions = createInMemorySessionRepository();
  const agent = createAgent({
    agentSessions: sessions,
    agentSettings: settings,
    loadApp: () => import('../app.js'),
    agentTimeoutMs: 60_000,
    maxAgentSessions: 3,
    clock: systemClock,
    timer: systemTimer,
    random: systemRandom,
    logger,
    audit,
    bindRoutes: (bind) => workflow.application.bindRoutes(bind),
  });
  const api = await createTestApi({ features: [agent, workflow.application], audit });
  const read: AgentHarness['read'] = async (as, id) =>
    AgentSessionDetailResponse.parse((await api.send(`GET /agent/sessions/${id}`, { as })).body);
  const rest: AgentHarness['rest'] = async (as, id) => {
    await waitFor(async () => !(await read(as, id)).sessionState.working, { what: 'the agent to rest' });
    return read(as, id);
  };
  return {
    api,
    workflow,
    model,
    agent,
    sessions,
    config,
    models,
    memories,
    read,
    rest,
    talk: async (as, message, more = {}) => {
      const { body } = await api.send('POST /agent/sessions', { as, body: { message, ...more } });
      return rest(as, String(body.sessionId));
    },
    stop: async () => {
      await agent.stop();
      await api.stop();
      await workflow.stop();
      await model.stop();
    },
  };
}

function aModel(baseUrl: string): UsableModel {
  return {
    id: 'small',
    name: 'Small',
    provider: 'local',
    protocol: 'openai',
    model: 'small-1',
    baseUrl,
    apiKey: new Secret('hunter2'),
    contextWindow: undefined,
    maxOutputTokens: undefined,
    thinkingEffort: undefined,
    inputCostPer1M: 1_000,
    cachedInputCostPer1M: undefined,
    outputCostPer1M: 2_000,
  };
}

/** Returns the results of calls of tools. */
export function resultsOf(messages: readonly AgentMessage[]): readonly string[] {
  return messages.flatMap(({ toolResults = [] }) => toolResults.map(({ content }) => content));
}

/** Returns the questions to the person, newest last. */
export function promptsOf(messages: readonly AgentMessage[]) {
  return messages.flatMap(({ userPrompt }) => (userPrompt === undefined ? [] : [userPrompt]));
}
