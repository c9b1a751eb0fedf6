import type { AgentToolInfo } from '@weir/workflow-contract/schemas';
import type { Clock } from '@weir/workflow-engine/model';
import type { RandomSource } from '../../adapters/random-source';
import type { Sealer } from '../../encryption';
import { Secret, type Logger } from '@weir/service-kit';
import type { Bind } from '../../access/bind';
import type { AgentSettings, UsableModel } from './agent-settings';
import { modelKeyContext, type AgentStores, type StoredModel } from './agent-stores';
import { bindConfigRoutes, bindMemoryRoutes } from './config-routes';
import { createConfigService } from './config-service';
import { createMemoryService } from './memory-service';
import { bindModelRoutes } from './model-routes';
import { createModelService } from './model-service';
import { addressOfModel, modelServices } from './model-services';
import { loadModelLoginProviders } from './provider-config';
import { createProviderLogins } from './provider-logins';
import { bindProviderRoutes } from './provider-routes';
import { bindSoulRoutes } from './soul-routes';
import { createSoulService } from './soul-service';

export interface AgentSettingsPorts {
  readonly agentStores: AgentStores;
  /** The path of a YAML file with the providers at which the server can sign in for models; undefined for none. */
  readonly agentProvidersFile: string | undefined;
  readonly listTools: () => Promise<readonly AgentToolInfo[]>;
  readonly sealer: Sealer;
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly logger: Logger;
}

/** The settings of the agent, with the operations that change them. */
export interface ServedAgentSettings extends AgentSettings {
  bindRoutes(bind: Bind): void;
}

/** Rejects with `invalid_request`, reason `agent_providers_invalid`, where the file of providers cannot be used. */
export async function loadAgentSettings(ports: AgentSettingsPorts): Promise<ServedAgentSettings> {
  const { agentStores, agentProvidersFile: file } = ports;
  const providers = file === undefined ? [] : await loadModelLoginProviders(file);
  const logins = createProviderLogins({ ...ports, providers, fetch: (url, init) => fetch(url, init) });
  const [models, souls] = [createModelService(ports), createSoulService(ports)];
  const [config, memories] = [createConfigService(ports), createMemoryService(ports)];

  const findKey = async ({ id, keyId, keyText: text }: StoredModel, address: string): Promise<Secret | undefined> => {
    if (keyId === null || text === null) return logins.tokenFor(address);
    return new Secret(await ports.sealer.open({ keyId, text }, modelKeyContext(id)));
  };
  return {
    config: () => config.read(),
    async findUsableModel(given) {
      const id = given ?? (await agentStores.config.read()).defaultModelId;
      const stored = id === null ? undefined : await agentStores.models.find(id);
      if (stored === undefined) return undefined;
      const apiKey = await findKey(stored, addressOfModel(stored));
      const isMissing = apiKey === undefined && stored.baseUrl === null && modelServices[stored.provider].needsKey;
      return isMissing ? undefined : toUsable(stored, apiKey);
    },
    soul: (id) => agentStores.souls.find(id),
    memory: (dagName) => memories.read(dagName),
    bindRoutes: (bind) => {
      bindConfigRoutes(bind, config);
      bindMemoryRoutes(bind, memories);
      bindModelRoutes(bind, models);
      bindProviderRoutes(bind, logins);
      bindSoulRoutes(bind, souls);
    },
  };
}

function toUsable(stored: StoredModel, apiKey: Secret | undefined): UsableModel {
  const { id, name, provider, model, facts } = stored;
  return {
    id,
    name,
    provider,
    model,
    apiKey,
    protocol: modelServices[provider].protocol,
    baseUrl: addressOfModel(stored),
    contextWindow: facts.contextWindow,
    maxOutputTokens: facts.maxOutputTokens,
    inputCostPer1M: facts.inputCostPer1M,
    cachedInputCostPer1M: facts.cachedInputCostPer1M,
    outputCostPer1M: facts.outputCostPer1M,
    thinkingEffort: facts.thinkingEffort,
  };
}
