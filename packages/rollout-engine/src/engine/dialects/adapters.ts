import { asObject } from '@weir/foundation';
import { engineFailed, parameterNotSupported, toStatusFailure } from '../http/engine-failure';
import { asCount, asList, asText } from '../http/json-value';
import type { AdapterOperations, SendControl } from '../http/dialect';
import type { ControlAnswer } from '../http/engine-connection';

/** The operations of SGLang 0.5, which needs `--enable-lora`. It evicts adapters itself where it has a limit. */
export const sglangAdapters: AdapterOperations = {
  load: async (ask, { path, isPinned }, name) => {
    if (path !== undefined) {
      const body = { lora_name: name, lora_path: path, pinned: isPinned };
      const answer = await ask('POST', '/load_lora_adapter', body);
      checkLoaded(answer, asText(asObject(answer.json)?.error_message));
    }
    return { lora_path: name };
  },
  unload: async (ask, name) => checkUnloaded(await ask('POST', '/unload_lora_adapter', { lora_name: name })),
  list: async (ask) => new Map((await listServed(ask)).map((name) => [name, { lora_path: name }])),
};

/** The operations of vLLM, which needs `--enable-lora` and `VLLM_ALLOW_RUNTIME_LORA_UPDATING`. */
export const vllmAdapters: AdapterOperations = {
  load: async (ask, { path, isPinned }, name) => {
    if (isPinned) throw parameterNotSupported('adapter.pinned');
    if (path === undefined) {
      if (!(await listServed(ask)).includes(name)) throw engineFailed('adapter_unknown');
    } else {
      const answer = await ask('POST', '/v1/load_lora_adapter', { lora_name: name, lora_path: path });
      checkLoaded(answer, asText(asObject(asObject(answer.json)?.error)?.message));
    }
    return { model: name };
  },
  unload: async (ask, name) => checkUnloaded(await ask('POST', '/v1/unload_lora_adapter', { lora_name: name })),
  list: async (ask) => new Map((await listServed(ask)).map((name) => [name, { model: name }])),
};

/** A name of the base model, which has no parent, is none of an adapter: sessions would sample without one. */
async function listServed(ask: SendControl): Promise<readonly string[]> {
  const models = asList(asObject((await ask('GET', '/v1/models')).json)?.data) ?? [];
  return models
    .map(asObject)
    .flatMap((model) => (asText(model?.parent) === undefined ? [] : (asText(model?.id) ?? [])));
}

/** The server of llama.cpp has the adapters of its start, which it numbers. Their order may change with a restart. */
export const llamaCppAdapters: AdapterOperations = {
  load: async (ask, { name, path, isPinned }) => {
    if (isPinned) throw parameterNotSupported('adapter.pinned');
    const { status, json } = await ask('GET', '/lora-adapters');
    if (status === 404) throw engineFailed('adapter_operation_missing');
    const own = (asList(json) ?? []).map(asObject).filter((adapter) => isNamed(asText(adapter?.path), { name, path }));
    const id = asCount(own[0]?.id);
    if (own.length !== 1 || id === undefined) throw engineFailed('adapter_unknown');
    return { lora: [{ id, scale: 1 }] };
  },
};

function isNamed(
  served: string | undefined,
  { name, path }: { readonly name: string; readonly path: string | undefined },
): boolean {
  if (path !== undefined) return served === path;
  return (
    served
      ?.split(/[\\/]/)
      .at(-1)
      ?.replace(/\.gguf$/, '') === name
  );
}

const present = /already (?:exists|(?:been )?loaded)/i;

/** An adapter of this name is the same one, since the name has its version and its path. */
function checkLoaded({ status, json }: ControlAnswer, message: string | undefined): void {
  const isRefused = asObject(json)?.success === false;
  if (status >= 200 && status < 300 && !isRefused) return;
  if (message !== undefined && present.test(message)) return;
  if (status === 404 && message === undefined) throw engineFailed('adapter_operation_missing');
  if (isRefused || status === 400 || status === 404 || status === 500) throw engineFailed('adapter_refused');
  throw toStatusFailure(status, message ?? '');
}

/** One that the server no longer has is unloaded. */
function checkUnloaded({ status, json }: ControlAnswer): void {
  if ((status >= 200 && status < 300) || status === 404) return;
  const body = asObject(json);
  const message = asText(body?.error_message) ?? asText(asObject(body?.error)?.message) ?? '';
  if (/does not exist|cannot be found/i.test(message)) return;
  throw toStatusFailure(status, message);
}
