import { executeTask } from './host/host-tasks';
import { loadModel, type LoadedModel } from './host/llama-model';
import type { HostMessage, HostRequest, HostSettings } from './host/host-messages';
import { SequencePool } from './host/sequence-pool';

// It is a separate process: a crash of native code must not end the proxy, and sampling must not block its event loop.
// The build bundles it as a file next to main.js.

type LlamaSequences = LoadedModel['sequences'];

const cancellations = new Map<number, AbortController>();
let loaded:
  Promise<{ readonly model: LoadedModel; readonly sequences: SequencePool<LlamaSequences[number]> }> | undefined;

const post = (message: HostMessage): void => {
  if (process.connected) process.send?.(message);
};

process.on('message', (request: HostRequest) => {
  if (request.kind === 'start') void start(request.settings);
  else if (request.kind === 'cancel') cancellations.get(request.call)?.abort();
  else void handleTask(request);
});
// An interrupt goes to the whole process group. The proxy lets running answers finish first, then disconnects.
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => undefined);
// The parent has exited.
process.on('disconnect', () => process.exit(0));

async function start(settings: HostSettings): Promise<void> {
  try {
    loaded = loadModel(settings).then((model) => ({ model, sequences: new SequencePool(model.sequences) }));
    const { model } = await loaded;
    post({ kind: 'ready', info: model.info });
  } catch (error) {
    post({ kind: 'not-started', text: toErrorText(error) });
  }
}

async function handleTask({ call, task }: Extract<HostRequest, { kind: 'task' }>): Promise<void> {
  const cancellation = new AbortController();
  cancellations.set(call, cancellation);
  try {
    if (loaded === undefined) throw new Error('The model was not loaded.');
    await executeTask(task, { call, ...(await loaded), post, signal: cancellation.signal });
  } catch (error) {
    const reason = cancellation.signal.aborted ? 'cancelled' : toReason(error);
    post({ kind: 'failed', call, failure: { reason, text: toErrorText(error) } });
  } finally {
    cancellations.delete(call);
  }
}

const toReason = (error: unknown): 'grammar_invalid' | 'failed' =>
  error instanceof Error && error.name === 'InvalidGrammar' ? 'grammar_invalid' : 'failed';

const toErrorText = (error: unknown): string => (error instanceof Error ? error.message : 'Something else was thrown.');
