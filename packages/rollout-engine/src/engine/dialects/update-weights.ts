import { engineFailed, toStatusFailure } from '../http/engine-failure';
import { asObject } from '@weir/foundation';
import { asText } from '../http/json-value';
import type { SendControl, UpdateEngineWeights } from '../http/dialect';

/** SGLang empties its prefix cache with the update. */
export const updateSglangWeights: UpdateEngineWeights = async (ask, { source, version }) => {
  await send(ask, '/pause_generation', { mode: 'abort' });
  try {
    const answer = await send(ask, '/update_weights_from_disk', {
      model_path: source,
      weight_version: String(version),
      flush_cache: true,
      abort_all_requests: true,
    });
    if (asObject(answer)?.success !== true) throw engineFailed('weights_refused');
  } finally {
    await send(ask, '/continue_generation', {});
  }
};

/** vLLM empties its prefix cache with the pause. */
export const updateVllmWeights: UpdateEngineWeights = async (ask, { source, version }) => {
  await send(ask, '/pause?mode=abort&clear_cache=true', {});
  try {
    await send(ask, '/collective_rpc', { method: 'reload_weights', kwargs: { weights_path: source } });
    await setVllmVersion(ask, version);
  } finally {
    await send(ask, '/resume', {});
  }
};

/** Servers that report no versions do not have the operation. */
async function setVllmVersion(ask: SendControl, version: number): Promise<void> {
  const info = await ask('GET', '/weight_info');
  if (info.status !== 404) await send(ask, '/update_weight_version', { new_version: String(version) });
}

async function send(ask: SendControl, path: string, body: Readonly<Record<string, unknown>>): Promise<unknown> {
  const { status, json } = await ask('POST', path, body);
  if (status === 404) throw engineFailed('weights_operation_missing');
  if (status >= 200 && status < 300) return json;
  throw status === 400
    ? engineFailed('weights_refused')
    : toStatusFailure(status, asText(asObject(json)?.message) ?? '');
}
