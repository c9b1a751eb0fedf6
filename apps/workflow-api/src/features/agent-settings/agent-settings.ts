import type { Secret } from '@weir/service-kit';
import type { ModelProvider, ThinkingEffort } from '@weir/workflow-contract/schemas';

/** The settings that sessions and steps of the agent read. */
export interface AgentSettings {
  config(): Promise<AgentConfig>;
  /**
   * Returns the model of this id, by default the one that sessions use, ready to be called. Returns `undefined` where
   * there is none, or its service needs a key that is missing. Rejects with `unavailable` where the key cannot be
   * decrypted.
   */
  findUsableModel(id?: string): Promise<UsableModel | undefined>;
  soul(id: string): Promise<AgentSoul | undefined>;
  /** Returns the first 200 lines of the memory for every session, or of the memory about a DAG. Empty without any. */
  memory(dagName?: string): Promise<string>;
}

/** The protocol of the service of a model. */
export type ModelProtocol = 'openai' | 'anthropic';

/** A model with everything that a call needs. */
export interface UsableModel {
  readonly id: string;
  readonly name: string;
  readonly provider: ModelProvider;
  readonly protocol: ModelProtocol;
  /** Name of the model at the service. */
  readonly model: string;
  /** Missing where the service needs none. */
  readonly apiKey: Secret | undefined;
  /** The address for the clients of the protocol, without a trailing slash. */
  readonly baseUrl: string;
  /** The size in tokens. */
  readonly contextWindow: number | undefined;
  readonly maxOutputTokens: number | undefined;
  /** US dollars for a million tokens. */
  readonly inputCostPer1M: number | undefined;
  readonly cachedInputCostPer1M: number | undefined;
  readonly outputCostPer1M: number | undefined;
  /** Missing for a model whose effort cannot be chosen. */
  readonly thinkingEffort: ThinkingEffort | undefined;
}

/** The settings of the agent, with defaults for those that were not set. */
export interface AgentConfig {
  readonly isEnabled: boolean;
  readonly defaultModelId: string | undefined;
  readonly selectedSoulId: string | undefined;
  readonly toolPolicy: ToolPolicy;
  readonly webSearch: { readonly enabled: boolean; readonly maxUses?: number | undefined };
  readonly limits: AgentLimits;
}

export interface ToolPolicy {
  /** Contains every tool of this server. */
  readonly tools: Readonly<Record<string, boolean>>;
  readonly bash: BashPolicy;
}

/** Decides which commands a tool may execute. The first rule that matches counts. */
export interface BashPolicy {
  readonly rules: readonly BashRule[];
  readonly defaultBehavior: 'allow' | 'deny';
  /** Whether a person is asked about a denied command. */
  readonly denyBehavior: 'ask_user' | 'block';
}

export interface BashRule {
  readonly name?: string | undefined;
  /** A regular expression. */
  readonly pattern: string;
  readonly action: 'allow' | 'deny';
  /** Default: true. */
  readonly enabled?: boolean | undefined;
}

/** Limits after which a session ends by itself. */
export interface AgentLimits {
  /** Limits the calls of the model for one message. */
  readonly maxSteps: number;
  /** Limits the tokens that one session reads and writes. */
  readonly maxTokens: number;
  /** Limits the US dollars that one session costs. */
  readonly maxCost: number;
}

export interface AgentSoul {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** The description of the agent that it gets itself. */
  readonly content: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}
