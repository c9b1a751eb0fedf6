import type { FakeAdapter, FakeControlCall, FakeEngineDialect } from './fake-engine-types';

/** The adapters of an engine, and the operations that change them. */
export interface FakeAdapters {
  /** Those that load and unload, in order. */
  readonly calls: FakeControlCall[];
  /** In the order in which they were loaded. */
  readonly loaded: Map<string, string>;
  /** The next one that is loaded is refused. */
  refusesNext: boolean;
}

export interface FakeAdapterAnswer {
  readonly status: number;
  readonly body: unknown;
}

type Sent = Readonly<Record<string, unknown>>;

export function createFakeAdapters(given: readonly FakeAdapter[] = []): FakeAdapters {
  return { calls: [], loaded: new Map(given.map(({ name, path }) => [name, path])), refusesNext: false };
}

/** `undefined` for other operations, and for those that the server was started without. */
export function answerAdapters(
  adapters: FakeAdapters,
  dialect: FakeEngineDialect,
  { method, path, sent }: { readonly method: string; readonly path: string; readonly sent: Sent },
): FakeAdapterAnswer | undefined {
  if (dialect === 'llama-cpp') {
    return method === 'GET' && path === '/lora-adapters' ? { status: 200, body: listed(adapters) } : undefined;
  }
  const prefix = dialect === 'sglang' ? '' : '/v1';
  const isLoad = path === `${prefix}/load_lora_adapter`;
  if (method !== 'POST' || (!isLoad && path !== `${prefix}/unload_lora_adapter`)) return undefined;
  adapters.calls.push({ path, body: sent });
  const refusal = isLoad ? load(adapters, sent) : unload(adapters, sent);
  return dialect === 'sglang' ? sglangAnswer(adapters, refusal) : vllmAnswer(refusal);
}

const listed = ({ loaded }: FakeAdapters) =>
  [...loaded.values()].map((path, id) => ({ id, path, scale: 0, task_name: '', prompt_prefix: '' }));

interface Refusal {
  readonly status: number;
  readonly message: string;
}

function load(adapters: FakeAdapters, { lora_name: name, lora_path: path }: Sent): Refusal | undefined {
  const refuses = adapters.refusesNext;
  adapters.refusesNext = false;
  if (typeof name !== 'string' || typeof path !== 'string') return { status: 400, message: 'Both must be provided.' };
  if (adapters.loaded.has(name)) {
    return { status: 400, message: `The lora adapter '${name}' has already been loaded.` };
  }
  if (refuses) return { status: 404, message: `No adapter found for ${name}` };
  adapters.loaded.set(name, path);
  return undefined;
}

function unload({ loaded }: FakeAdapters, { lora_name: name }: Sent): Refusal | undefined {
  const isThere = typeof name === 'string' && loaded.delete(name);
  return isThere ? undefined : { status: 404, message: 'The adapter cannot be found.' };
}

function sglangAnswer({ loaded }: FakeAdapters, refusal: Refusal | undefined): FakeAdapterAnswer {
  const body = { success: refusal === undefined, error_message: refusal?.message ?? '' };
  return { status: refusal === undefined ? 200 : 400, body: { ...body, loaded_adapters: Object.fromEntries(loaded) } };
}

function vllmAnswer(refusal: Refusal | undefined): FakeAdapterAnswer {
  if (refusal === undefined) return { status: 200, body: 'Success: done.' };
  return { status: refusal.status, body: { error: { message: refusal.message, code: refusal.status } } };
}

/** The path of the adapter that a call chose, `undefined` for none; or how the engine refuses one that it has not. */
export function chooseAdapter(
  { loaded }: FakeAdapters,
  { dialect, model }: { readonly dialect: FakeEngineDialect; readonly model: string },
  body: Sent,
): { readonly path: string | undefined } | { readonly refusal: FakeAdapterAnswer } {
  if (dialect === 'llama-cpp') return chooseByScale([...loaded.values()], body.lora);
  const name = dialect === 'sglang' ? body.lora_path : body.model === model ? undefined : body.model;
  if (typeof name !== 'string') return { path: undefined };
  const path = loaded.get(name);
  if (path !== undefined) return { path };
  return {
    refusal:
      dialect === 'sglang'
        ? { status: 400, body: { error: { message: `Got LoRA adapter that has never been loaded: ${name}` } } }
        : { status: 404, body: { error: { message: `The model \`${name}\` does not exist.`, code: 404 } } },
  };
}

function chooseByScale(paths: readonly string[], given: unknown): ReturnType<typeof chooseAdapter> {
  const scales = Array.isArray(given) ? (given as { readonly id: number; readonly scale: number }[]) : [];
  if (scales.some(({ id }) => paths[id] === undefined)) {
    return { refusal: { status: 400, body: { error: { code: 400, message: 'invalid adapter id' } } } };
  }
  const chosen = scales.find(({ scale }) => scale > 0);
  return { path: chosen === undefined ? undefined : paths[chosen.id] };
}
