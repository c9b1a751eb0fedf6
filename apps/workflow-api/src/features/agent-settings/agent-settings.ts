import type { Secret } from '@weir/service-kit';
import type { ModelProvider, ThinkingEffort } from '@weir/workflow-contract/schemas';

/** What sessions and steps of the agent read of its settings. */
export interface AgentSettings {
  config(): Promise<AgentConfig>;
  /**
   * The model of this id, by default the one that sessions use, ready to be called. Undefined where there is none, or
   * its service needs a key that is missing. Rejects with `unavailable` where the key cannot be decrypted.
   */
  findUsableModel(id?: string): Promise<UsableModel | undefined>;
  soul(id: string): Promise<AgentSoul | undefined>;
  /** The first 200 lines of what counts for every session, or of what is known about a DAG. Empty without any. */
  memory(dagName?: string): Promise<string>;
}

/** How the service of a model is talked to. */
export type ModelProtocol = 'openai' | 'anthropic';

/** A model with all that a call needs. */
export interface UsableModel {
  readonly id: string;
  readonly name: string;
  readonly provider: ModelProvider;
  readonly protocol: ModelProtocol;
  /** Name of the model at the service. */
  readonly model: string;
  /** Missing where the service needs none. */
  readonly apiKey: Secret | undefined;
  /** Without a slash at its end; that of the protocol's clients. */
  readonly baseUrl: string;
  /** In tokens. */
  readonly contextWindow: number | undefined;
  readonly maxOutputTokens: number | undefined;
  /** In US dollars for a million tokens. */
  readonly inputCostPer1M: number | undefined;
  readonly outputCostPer1M: number | undefined;
  /** Only of a model whose effort can be chosen. */
  readonly thinkingEffort: ThinkingEffort | undefined;
}

/** The settings of the agent, with defaults for what nobody has set. */
export interface AgentConfig {
  readonly isEnabled: boolean;
  readonly defaultModelId: string | undefined;
  readonly selectedSoulId: string | undefined;
  readonly toolPolicy: ToolPolicy;
  readonly webSearch: { readonly enabled: boolean; readonly maxUses?: number | undefined };
  readonly limits: AgentLimits;
}

export interface ToolPolicy {
  /** Has every tool of this server. */
  readonly tools: Readonly<Record<string, boolean>>;
  readonly bash: BashPolicy;
}

/** Which commands a tool that executes commands may execute. The first rule that matches decides. */
export interface BashPolicy {
  readonly rules: readonly BashRule[];
  readonly defaultBehavior: 'allow' | 'deny';
  /** Whether a person is asked about a denied command. */
  readonly denyBehavior: 'ask_user' | 'block';
}

export interface BashRule {
  readonly name?: string | undefined;
  /** Regular expression. */
  readonly pattern: string;
  readonly action: 'allow' | 'deny';
  /** Default: true. */
  readonly enabled?: boolean | undefined;
}

/** Where a session ends by itself. */
export interface AgentLimits {
  /** Calls of the model for one message. */
  readonly maxSteps: number;
  /** Tokens that one session reads and writes. */
  readonly maxTokens: number;
  /** US dollars that one session costs. */
  readonly maxCost: number;
}

export interface AgentSoul {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** What the agent is told about itself. */
  readonly content: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}
