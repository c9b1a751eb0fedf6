import type { CreateModelConfigRequest, UpdateModelConfigRequest } from '@weir/workflow-contract/schemas';
import type { Clock } from '@weir/workflow-engine/model';
import type { AuditedOperation } from '../../access/audited-operation';
import type { Sealed, Sealer } from '../../encryption';
import { settingBlank, settingNotFound } from './agent-setting-errors';
import { modelKeyContext, type AgentStores, type ModelFacts, type StoredModel } from './agent-stores';
import { addressOfModel } from './model-services';
import { createSettingId } from './setting-id';

export interface ModelServicePorts {
  readonly agentStores: Pick<AgentStores, 'models' | 'config'>;
  readonly sealer: Sealer;
  readonly clock: Clock;
}

export type ModelService = ReturnType<typeof createModelService>;

/** Serves the operations of admins on models. No operation returns a key. */
export function createModelService({ agentStores: { models, config }, sealer, clock }: ModelServicePorts) {
  const seal = (id: string, key: string | undefined): Promise<Sealed> | undefined =>
    key === undefined || key === '' ? undefined : sealer.seal(key, modelKeyContext(id));

  return {
    async list() {
      const [all, { defaultModelId }] = await Promise.all([models.list(), config.read()]);
      return { models: all, defaultModelId };
    },

    async create(request: CreateModelConfigRequest, audit: AuditedOperation): Promise<StoredModel> {
      const [name, model] = [request.name.trim(), request.model.trim()];
      if (name === '') throw settingBlank('name');
      if (model === '') throw settingBlank('model');
      const taken = new Set((await models.list()).map((one) => one.id));
      const id = request.id ?? createSettingId(name, 'model', taken);
      const sealed = await seal(id, request.apiKey);
      const now = clock.now();
      const created: StoredModel = {
        id,
        name,
        model,
        provider: request.provider,
        baseUrl: toAddress(request.baseUrl),
        keyId: sealed?.keyId ?? null,
        keyText: sealed?.text ?? null,
        facts: toFacts(request),
        description: request.description ?? '',
        createdAt: now,
        updatedAt: now,
      };
      await models.insert(created, audit);
      return created;
    },

    async update(id: string, request: UpdateModelConfigRequest, audit: AuditedOperation): Promise<StoredModel> {
      if ((await models.find(id)) === undefined) throw settingNotFound('model', id);
      const sealed = await seal(id, request.apiKey);
      const updatedAt = clock.now();
      const change = (before: StoredModel): StoredModel =>
        withKey({ ...applyChanges(before, request), updatedAt }, before, sealed, request);
      return models.update(id, change, audit);
    },

    remove: (id: string, audit: AuditedOperation) => models.remove(id, audit),

    async setDefault(modelId: string, audit: AuditedOperation): Promise<string> {
      if ((await models.find(modelId)) === undefined) throw settingNotFound('model', modelId);
      await config.update({ defaultModelId: modelId }, clock.now(), audit);
      return modelId;
    },
  };
}

function applyChanges(before: StoredModel, request: UpdateModelConfigRequest): StoredModel {
  const { name, model, provider = before.provider, baseUrl, description = before.description } = request;
  return {
    ...before,
    name: filled(name, before.name),
    model: filled(model, before.model),
    provider,
    description,
    baseUrl: baseUrl === undefined ? before.baseUrl : toAddress(baseUrl),
    facts: toFacts({ ...before.facts, ...withoutUndefined(request) }),
  };
}

/** A blank text changes nothing. */
function filled(text: string | undefined, before: string): string {
  const trimmed = text?.trim() ?? '';
  return trimmed === '' ? before : trimmed;
}

/** A key was given for one server, so it is not sent to another server that is named later. */
function withKey(
  after: StoredModel,
  before: StoredModel,
  sealed: Sealed | undefined,
  { apiKey }: UpdateModelConfigRequest,
): StoredModel {
  if (sealed !== undefined) return { ...after, keyId: sealed.keyId, keyText: sealed.text };
  const isKept = apiKey === undefined && originOf(after) === originOf(before);
  return isKept ? after : { ...after, keyId: null, keyText: null };
}

const originOf = (model: StoredModel): string => new URL(addressOfModel(model)).origin;

function toAddress(baseUrl: string | undefined): string | null {
  return baseUrl === undefined || baseUrl === '' ? null : baseUrl;
}

function toFacts(given: Partial<ModelFacts> | CreateModelConfigRequest | UpdateModelConfigRequest): ModelFacts {
  const { contextWindow, maxOutputTokens, inputCostPer1M, cachedInputCostPer1M, outputCostPer1M } = given;
  const { supportsThinking = false, thinkingEffort } = given;
  return {
    ...withoutUndefined({ contextWindow, maxOutputTokens, inputCostPer1M, cachedInputCostPer1M, outputCostPer1M }),
    supportsThinking,
    ...(supportsThinking ? withoutUndefined({ thinkingEffort }) : {}),
  };
}

function withoutUndefined<Fields extends object>(
  fields: Fields,
): { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> } {
  // The type only says that no value is undefined, which the filter ensures.
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Fields]?: Exclude<Fields[Name], undefined>;
  };
}
