import { hash } from 'node:crypto';
import { untilAborted } from '@weir/foundation';
import type { AdapterVersion } from '../port/inference-engine';
import type { AdapterOperations } from './dialect';
import type { EngineConnection } from './engine-connection';
import type { JsonObject } from './json-value';

/** An adapter in the memory of a server. */
export interface LoadedAdapter {
  readonly adapter: AdapterVersion;
  /** Its name at the engine. */
  readonly engineName: string;
  /** Generations that run with it. */
  readonly running: number;
  /** Milliseconds since its last use. */
  readonly idleMs: number;
}

/** The adapters of one server that this process has loaded or found there. */
export interface ServerAdapters {
  /** Loads it, unless the server has it. Callers of the same adapter share one load; each waits at most until its signal. */
  load(adapter: AdapterVersion, signal: AbortSignal): Promise<void>;
  /** Loads it and counts a generation until `done`. */
  begin(adapter: AdapterVersion, signal: AbortSignal): Promise<AdapterUse>;
  loaded(): readonly LoadedAdapter[];
  /** Counts as loaded which of these the server has. Does nothing where adapters are given at the start. */
  adopt(adapters: readonly AdapterVersion[], signal: AbortSignal): Promise<void>;
  /** Unloads one with which nothing runs here. Does nothing otherwise, or where adapters are given at the start. */
  unload(engineName: string, signal: AbortSignal): Promise<void>;
}

export interface AdapterUse {
  /** Fields of a generation's body. */
  readonly fields: JsonObject;
  /** The server said that it does not have it: the next use loads it again. */
  forget(): void;
  done(): void;
}

/**
 * The name of a version at the engine. Each version has one of its own: what runs keeps the weights that it began with,
 * no cached prefix is of others, and all processes that share the engine use the same one.
 */
export function engineNameOf({ name, version, path }: AdapterVersion): string {
  return path === undefined ? name : `${name}-v${version}-${hash('sha256', path).slice(0, 8)}`;
}

/** Adapters are small, but may come from a network drive. */
const loadTimeoutMs = 120_000;

interface Entry {
  readonly adapter: AdapterVersion;
  readonly fields: Promise<JsonObject>;
  running: number;
  usedAtMs: number;
}

/** Called before a server is asked to load an adapter, which it is not where this rejects. */
export type NoteLoad = (adapter: AdapterVersion) => Promise<void>;

export function createServerAdapters(
  operations: AdapterOperations,
  connection: EngineConnection,
  noteLoad: NoteLoad = () => Promise.resolve(),
): ServerAdapters {
  const entries = new Map<string, Entry>();
  /** Unloads that are not answered yet: a load of that name waits for them. */
  const unloading = new Map<string, Promise<void>>();
  const nowMs = (): number => performance.now();
  const ask = (signal: AbortSignal) => (method: 'GET' | 'POST', path: string, body?: JsonObject) =>
    connection.control({ method, path, body, timeoutMs: loadTimeoutMs }, signal);

  const start = async (adapter: AdapterVersion, engineName: string): Promise<JsonObject> => {
    await unloading.get(engineName);
    if (adapter.path !== undefined && operations.unload !== undefined) await noteLoad(adapter);
    // Not the signal of a caller: others wait for it, too.
    return operations.load(ask(AbortSignal.timeout(loadTimeoutMs)), adapter, engineName);
  };
  const find = (adapter: AdapterVersion): Entry => {
    const engineName = engineNameOf(adapter);
    const known = entries.get(engineName);
    if (known !== undefined) return known;
    const fields = start(adapter, engineName);
    const entry: Entry = { adapter, fields, running: 0, usedAtMs: nowMs() };
    entries.set(engineName, entry);
    const forget = (): void => {
      if (entries.get(engineName) === entry) entries.delete(engineName);
    };
    // Numbers of adapters that a server has since its start are asked for each time.
    fields.then(operations.unload === undefined ? forget : () => undefined, forget);
    return entry;
  };

  return {
    load: async (adapter, signal) => {
      const entry = find(adapter);
      await untilAborted(entry.fields, signal);
      entry.usedAtMs = nowMs();
    },
    begin: async (adapter, signal) => {
      const entry = find(adapter);
      // Counted from now on, so that it is not unloaded before the generation arrives.
      entry.running += 1;
      const done = (): void => {
        entry.running -= 1;
        entry.usedAtMs = nowMs();
      };
      try {
        const fields = await untilAborted(entry.fields, signal);
        const engineName = engineNameOf(adapter);
        return { fields, done, forget: () => void (entries.get(engineName) === entry && entries.delete(engineName)) };
      } catch (error) {
        done();
        throw error;
      }
    },
    loaded: () =>
      [...entries].map(([engineName, { adapter, running, usedAtMs }]) => ({
        adapter,
        engineName,
        running,
        idleMs: running > 0 ? 0 : nowMs() - usedAtMs,
      })),
    adopt: async (adapters, signal) => {
      const served = await operations.list?.(ask(signal));
      for (const adapter of adapters) {
        const engineName = engineNameOf(adapter);
        const fields = served?.get(engineName);
        if (fields === undefined || entries.has(engineName)) continue;
        entries.set(engineName, { adapter, fields: Promise.resolve(fields), running: 0, usedAtMs: nowMs() });
      }
    },
    unload: async (engineName, signal) => {
      const entry = entries.get(engineName);
      const { unload } = operations;
      // One that the server has since its start is not ours to unload.
      if (entry === undefined || entry.running > 0 || unload === undefined || entry.adapter.path === undefined) return;
      entries.delete(engineName);
      const ended = unload(ask(signal), engineName);
      const settled = ended.catch(() => undefined);
      unloading.set(engineName, settled);
      await ended.finally(() => unloading.delete(engineName));
    },
  };
}
