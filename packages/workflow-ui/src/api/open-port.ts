import workerAddress from './shared-worker?worker&url';

/**
 * Connects the tab with the stream of all tabs of the user. Where the browser has no shared workers, or refuses them, the
 * tab has a stream of its own. `onFailure` is called when the code of the worker could not be loaded.
 */
export function openPort(user: string, onFailure: () => void): MessagePort {
  if (!('SharedWorker' in globalThis)) return openOwnPort(onFailure);
  try {
    // The name contains the user, so that one user never gets the topics of another.
    const worker = new SharedWorker(workerAddress, { type: 'module', name: `live ${user}` });
    worker.addEventListener('error', onFailure, { once: true });
    return worker.port;
  } catch {
    // Browsers that store no data of a site throw here.
    return openOwnPort(onFailure);
  }
}

function openOwnPort(onFailure: () => void): MessagePort {
  const { port1, port2 } = new MessageChannel();
  import('./serve-tabs').then(({ createTabService }) => createTabService()(port2), onFailure);
  return port1;
}
