import type { ModelProvider, ThinkingEffort } from '@weir/workflow-contract/schemas';
import type { AuditedOperation } from '../../access/audited-operation';
import type { SealedRows } from '../../encryption';
import type { AgentLimits, AgentSoul, BashPolicy } from './agent-settings';

/** The repositories of the agent's settings. */
export interface AgentStores {
  readonly models: ModelRepository;
  readonly souls: SoulRepository;
  readonly memories: MemoryRepository;
  readonly config: ConfigRepository;
  readonly logins: LoginRepository;
}

export interface StoredModel {
  readonly id: string;
  readonly name: string;
  readonly provider: ModelProvider;
  readonly model: string;
  /** Null for the usual address of the provider. */
  readonly baseUrl: string | null;
  /** The API key, sealed; null for none. */
  readonly keyId: string | null;
  readonly keyText: string | null;
  readonly facts: ModelFacts;
  readonly description: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface ModelFacts {
  readonly contextWindow?: number;
  readonly maxOutputTokens?: number;
  readonly inputCostPer1M?: number;
  readonly cachedInputCostPer1M?: number;
  readonly outputCostPer1M?: number;
  readonly supportsThinking: boolean;
  readonly thinkingEffort?: ThinkingEffort;
}

export interface ModelRepository extends SealedRows {
  /** Lists the oldest first. */
  list(): Promise<readonly StoredModel[]>;
  find(id: string): Promise<StoredModel | undefined>;
  /** The first model becomes the one that sessions use. Throws `agent_model_id_taken` or `agent_model_name_taken`. */
  insert(model: StoredModel, audit: AuditedOperation): Promise<void>;
  /**
   * Stores the result of `change`, which has to be pure, and returns it. Throws `agent_model_not_found` or
   * `agent_model_name_taken`.
   */
  update(id: string, change: (before: StoredModel) => StoredModel, audit: AuditedOperation): Promise<StoredModel>;
  /** If sessions used the removed model, they use the oldest of the others. Throws `agent_model_not_found`. */
  remove(id: string, audit: AuditedOperation): Promise<void>;
}

export type SoulChanges = Pick<AgentSoul, 'updatedAt'> & Partial<Pick<AgentSoul, 'name' | 'description' | 'content'>>;

export interface SoulRepository {
  /** Lists by name. */
  list(): Promise<readonly AgentSoul[]>;
  find(id: string): Promise<AgentSoul | undefined>;
  /** Throws `agent_soul_id_taken` or `agent_soul_name_taken`. */
  insert(soul: AgentSoul, audit: AuditedOperation): Promise<void>;
  /** Returns the soul afterwards. Throws `agent_soul_not_found` or `agent_soul_name_taken`. */
  update(id: string, changes: SoulChanges, audit: AuditedOperation): Promise<AgentSoul>;
  /** Sessions begin without the soul from then on. Throws `agent_soul_not_found`. */
  remove(id: string, audit: AuditedOperation): Promise<void>;
}

/** Name of the memory for every session; names of DAGs are not empty. */
export const globalMemory = '';

export interface MemoryRepository {
  /** Lists the DAGs that have a memory, by name, without the global one. */
  listDagNames(): Promise<readonly string[]>;
  /** Returns an empty text where there is none. */
  read(dagName: string): Promise<string>;
  write(
    dagName: string,
    memory: { readonly content: string; readonly at: Date },
    audit: AuditedOperation,
  ): Promise<void>;
  /** Does nothing where there is none. */
  remove(dagName: string, audit: AuditedOperation): Promise<void>;
}

/** The settings that were set; the others have their defaults. */
export interface StoredConfig {
  readonly isEnabled: boolean;
  readonly defaultModelId: string | null;
  readonly selectedSoulId: string | null;
  readonly toolPolicy: StoredToolPolicy;
  readonly webSearch: { readonly enabled?: boolean | undefined; readonly maxUses?: number | undefined };
  readonly limits: Partial<AgentLimits>;
}

export interface StoredToolPolicy {
  readonly tools?: Readonly<Record<string, boolean>> | undefined;
  readonly bash?: { readonly [Field in keyof BashPolicy]?: BashPolicy[Field] | undefined } | undefined;
}

export const initialConfig: StoredConfig = {
  isEnabled: true,
  defaultModelId: null,
  selectedSoulId: null,
  toolPolicy: {},
  webSearch: {},
  limits: {},
};

export interface ConfigRepository {
  read(): Promise<StoredConfig>;
  /**
   * Returns the settings after the change; searches and limits keep what the changes leave out. Throws
   * `agent_model_unknown` or `agent_soul_unknown`.
   */
  update(changes: Partial<StoredConfig>, at: Date, audit: AuditedOperation): Promise<StoredConfig>;
}

/** A token of a provider, sealed. */
export interface StoredLogin {
  readonly providerId: string;
  readonly keyId: string;
  readonly text: string;
  readonly expiresAt: Date | null;
  readonly canRefresh: boolean;
  readonly accountId: string | null;
  readonly connectedAt: Date;
}

export interface LoginRepository extends SealedRows {
  find(providerId: string): Promise<StoredLogin | undefined>;
  /** Replaces a former login. */
  save(login: StoredLogin, audit: AuditedOperation): Promise<void>;
  /** Replaces the token unless it has changed meanwhile. Returns whether it was replaced. */
  renew(before: StoredLogin, after: StoredLogin): Promise<boolean>;
  /** Does nothing where there is none. */
  remove(providerId: string, audit: AuditedOperation): Promise<void>;
}

export const modelKeyContext = (modelId: string): string => `agent model ${modelId}`;
export const loginContext = (providerId: string): string => `agent login ${providerId}`;

export function mergeConfig(before: StoredConfig, changes: Partial<StoredConfig>): StoredConfig {
  return {
    ...before,
    ...changes,
    webSearch: { ...before.webSearch, ...changes.webSearch },
    limits: { ...before.limits, ...changes.limits },
  };
}

// The order does not rely on the sorting rules of databases.
export function byAge(one: StoredModel, other: StoredModel): number {
  return one.createdAt.getTime() - other.createdAt.getTime() || (one.id < other.id ? -1 : 1);
}

export function byName(one: AgentSoul, other: AgentSoul): number {
  return one.name < other.name ? -1 : 1;
}
