import { settingNotFound, settingTaken, settingUnknown } from './agent-setting-errors';
import type { AgentSoul } from './agent-settings';
import {
  byAge,
  byName,
  globalMemory,
  initialConfig,
  loginContext,
  mergeConfig,
  modelKeyContext,
  type AgentStores,
  type LoginRepository,
  type MemoryRepository,
  type ModelRepository,
  type SoulRepository,
  type StoredConfig,
  type StoredLogin,
  type StoredModel,
} from './agent-stores';

interface Rows {
  readonly models: Map<string, StoredModel>;
  readonly souls: Map<string, AgentSoul>;
  config: StoredConfig;
}

/** Creates stores for specs. They pass the same contract suite as the Prisma repositories. */
export function createInMemoryAgentStores(): AgentStores {
  const rows: Rows = { models: new Map(), souls: new Map(), config: initialConfig };
  return {
    models: createModels(rows),
    souls: createSouls(rows),
    memories: createMemories(),
    config: {
      read: () => Promise.resolve(rows.config),
      update: async (changes) => {
        const { defaultModelId, selectedSoulId } = changes;
        if (defaultModelId && !rows.models.has(defaultModelId)) throw settingUnknown('model', defaultModelId);
        if (selectedSoulId && !rows.souls.has(selectedSoulId)) throw settingUnknown('soul', selectedSoulId);
        rows.config = mergeConfig(rows.config, changes);
        return Promise.resolve(rows.config);
      },
    },
    logins: createLogins(),
  };
}

// The functions are async, so that a refusal is a rejection as with a database.

function createModels(rows: Rows): ModelRepository {
  const { models } = rows;
  const put = (model: StoredModel): StoredModel => {
    const isTaken = [...models.values()].some(({ id, name }) => name === model.name && id !== model.id);
    if (isTaken) throw settingTaken('model', 'name', model.name);
    models.set(model.id, model);
    return model;
  };
  const get = (id: string): StoredModel => {
    const model = models.get(id);
    if (model === undefined) throw settingNotFound('model', id);
    return model;
  };
  return {
    list: () => Promise.resolve([...models.values()].toSorted(byAge)),
    find: (id) => Promise.resolve(models.get(id)),
    insert: async (model) => {
      if (models.has(model.id)) throw settingTaken('model', 'id', model.id);
      await Promise.resolve(put(model));
      if (models.size === 1) rows.config = { ...rows.config, defaultModelId: model.id };
    },
    update: async (id, change) => Promise.resolve(put(change(get(id)))),
    remove: async (id) => {
      models.delete(get(id).id);
      const next = [...models.values()].toSorted(byAge)[0]?.id ?? null;
      if (rows.config.defaultModelId === id) rows.config = { ...rows.config, defaultModelId: next };
      return Promise.resolve();
    },
    listSealed: () =>
      Promise.resolve(
        [...models.values()].flatMap(({ id, keyId, keyText: text }) =>
          keyId === null || text === null ? [] : [{ id, context: modelKeyContext(id), sealed: { keyId, text } }],
        ),
      ),
    replaceSealed: ({ id, sealed }, { keyId, text: keyText }) => {
      const model = models.get(id);
      if (model?.keyText !== sealed.text) return Promise.resolve(false);
      models.set(id, { ...model, keyId, keyText });
      return Promise.resolve(true);
    },
  };
}

function createSouls(rows: Rows): SoulRepository {
  const { souls } = rows;
  const put = (soul: AgentSoul): AgentSoul => {
    const isTaken = [...souls.values()].some(({ id, name }) => name === soul.name && id !== soul.id);
    if (isTaken) throw settingTaken('soul', 'name', soul.name);
    souls.set(soul.id, soul);
    return soul;
  };
  const get = (id: string): AgentSoul => {
    const soul = souls.get(id);
    if (soul === undefined) throw settingNotFound('soul', id);
    return soul;
  };
  return {
    list: () => Promise.resolve([...souls.values()].toSorted(byName)),
    find: (id) => Promise.resolve(souls.get(id)),
    insert: async (soul) => {
      if (souls.has(soul.id)) throw settingTaken('soul', 'id', soul.id);
      await Promise.resolve(put(soul));
    },
    update: async (id, changes) => Promise.resolve(put({ ...get(id), ...changes })),
    remove: async (id) => {
      souls.delete(get(id).id);
      if (rows.config.selectedSoulId === id) rows.config = { ...rows.config, selectedSoulId: null };
      return Promise.resolve();
    },
  };
}

function createMemories(): MemoryRepository {
  const texts = new Map<string, string>();
  return {
    listDagNames: () => Promise.resolve([...texts.keys()].filter((name) => name !== globalMemory).toSorted()),
    read: (dagName) => Promise.resolve(texts.get(dagName) ?? ''),
    write: async (dagName, { content }) => {
      await Promise.resolve(texts.set(dagName, content));
    },
    remove: async (dagName) => {
      await Promise.resolve(texts.delete(dagName));
    },
  };
}

function createLogins(): LoginRepository {
  const logins = new Map<string, StoredLogin>();
  const replace = (before: { readonly id: string; readonly text: string }, changes: Partial<StoredLogin>): boolean => {
    const present = logins.get(before.id);
    if (present?.text !== before.text) return false;
    logins.set(before.id, { ...present, ...changes });
    return true;
  };
  return {
    find: (providerId) => Promise.resolve(logins.get(providerId)),
    save: async (login) => {
      await Promise.resolve(logins.set(login.providerId, login));
    },
    renew: ({ providerId: id, text }, after) => Promise.resolve(replace({ id, text }, after)),
    remove: async (providerId) => {
      await Promise.resolve(logins.delete(providerId));
    },
    listSealed: () =>
      Promise.resolve(
        [...logins.values()].map(({ providerId: id, keyId, text }) => {
          return { id, context: loginContext(id), sealed: { keyId, text } };
        }),
      ),
    replaceSealed: ({ id, sealed }, { keyId, text }) =>
      Promise.resolve(replace({ id, text: sealed.text }, { keyId, text })),
  };
}
