import { AppError, untilAborted } from '@weir/foundation';
import { EmbeddedHostProcess, type CallMessage } from './embedded-host-process';
import type { LoadedModelInfo, HostTask } from './host/host-messages';

export interface EmbeddedHostOptions {
  /** The file of the bundled `embedded-host`, which runs as a separate process. */
  readonly hostFile: string;
  /** The model's GGUF file. */
  readonly modelFile: string;
  /** Default 1, with which results are reproducible; more are faster only for large models on idle cores. */
  readonly threads?: number;
  /** Generations at the same time, each with its own sequence of the key-value cache. Default 4. */
  readonly sequences?: number;
  /** At most the length for which the model was trained, which is the default if it fits a quarter of the memory. */
  readonly contextLength?: number;
  /** Running and waiting calls; further ones are rejected with `unavailable`. Default 1,024. */
  readonly maxCalls?: number;
  /** How long loading may take. Default 120 s. */
  readonly startDeadlineMs?: number;
  /** Returns milliseconds. Default: the system's monotonic clock. */
  readonly now?: () => number;
}

/** The process that holds the model, restarted when needed. */
export interface EmbeddedHost {
  readonly modelFile: string;
  /**
   * Loads other weights of the same model in a new process, which takes all calls from then on; running ones end in the old
   * one. Rejects with `unavailable` (`model_not_loaded`) or `invalid_request` (`weights_incompatible`); the old weights
   * then stay. Not to be called again before it has settled.
   */
  load(modelFile: string, signal: AbortSignal): Promise<void>;
  /** Starts the process if it does not run. Rejects with `unavailable` (reason `model_not_loaded`). */
  info(signal: AbortSignal): Promise<LoadedModelInfo>;
  /** Messages of one task; the last one is not `tokens`. Leaving the loop or aborting the signal cancels the task. */
  run(task: HostTask, signal: AbortSignal): AsyncGenerator<CallMessage>;
  /** The id of the running process. */
  pid(): number | undefined;
  stop(): Promise<void>;
}

const maxConsecutiveFailures = 3;
const backoffMs = 30_000;

/** Starts the process at the first call. After three exits in a row without an answer it waits for 30 seconds. */
export function createEmbeddedHost(options: EmbeddedHostOptions): EmbeddedHost {
  return new RestartedHost(options);
}

class RestartedHost implements EmbeddedHost {
  readonly #options: EmbeddedHostOptions;
  readonly #now: () => number;
  #modelFile: string;
  /** All running processes: the current one, one that is loading, and former ones that end their calls. */
  readonly #processes = new Set<EmbeddedHostProcess>();
  #process: EmbeddedHostProcess | undefined;
  #calls = 0;
  #lastCall = 0;
  #failures = 0;
  #lastFailure = 0;
  #isStopped = false;

  constructor(options: EmbeddedHostOptions) {
    this.#options = options;
    this.#modelFile = options.modelFile;
    this.#now = options.now ?? (() => performance.now());
  }

  get modelFile(): string {
    return this.#modelFile;
  }

  async load(modelFile: string, signal: AbortSignal): Promise<void> {
    const before = await this.info(signal);
    const next = this.#launch(modelFile);
    try {
      const info = await untilAborted(next.ready, signal);
      if (info.vocabularySize !== before.vocabularySize) throw weightsIncompatible();
      if (this.#isStopped) throw stopping();
    } catch (error) {
      await next.stop();
      throw error;
    }
    this.#process?.retire();
    this.#process = next;
    this.#modelFile = modelFile;
    this.#failures = 0;
  }

  pid(): number | undefined {
    return this.#process?.pid;
  }

  async info(signal: AbortSignal): Promise<LoadedModelInfo> {
    signal.throwIfAborted();
    return untilAborted(this.#started().ready, signal);
  }

  async *run(task: HostTask, signal: AbortSignal): AsyncGenerator<CallMessage> {
    if (this.#calls >= (this.#options.maxCalls ?? 1_024)) throw tooManyCalls();
    this.#calls++;
    try {
      signal.throwIfAborted();
      const process = this.#started();
      await untilAborted(process.ready, signal);
      yield* this.#follow(process, task, signal);
    } finally {
      this.#calls--;
    }
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all([...this.#processes].map((process) => process.stop()));
  }

  async *#follow(process: EmbeddedHostProcess, task: HostTask, signal: AbortSignal): AsyncGenerator<CallMessage> {
    const call = ++this.#lastCall;
    const mailbox = new HostEventQueue();
    let hasTokens = false;
    const onAbort = (): void => mailbox.put('aborted');
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      signal.throwIfAborted();
      process.begin(call, task, (message) => mailbox.put(message));
      for (;;) {
        const message = await mailbox.take();
        if (message === 'aborted') throw signal.reason;
        if (message === 'ended') throw processEnded(hasTokens, process.lastOutput);
        if (message.kind === 'failed') throw taskFailed(message.failure);
        hasTokens ||= message.kind === 'tokens';
        // An encoded text does not count: a model that cannot be evaluated may still have a tokenizer.
        if (message.kind === 'end' || message.kind === 'rescored') this.#failures = 0;
        yield message;
        if (message.kind !== 'tokens') return;
      }
    } finally {
      signal.removeEventListener('abort', onAbort);
      process.cancel(call);
    }
  }

  #started(): EmbeddedHostProcess {
    if (this.#isStopped) throw stopping();
    if (this.#process !== undefined) return this.#process;
    if (this.#failures >= maxConsecutiveFailures && this.#now() - this.#lastFailure < backoffMs)
      throw hostKeepsExiting();
    this.#process = this.#launch(this.#modelFile);
    return this.#process;
  }

  #launch(modelFile: string): EmbeddedHostProcess {
    const { hostFile, threads = 1, sequences = 4, contextLength, startDeadlineMs = 120_000 } = this.#options;
    const launched = new EmbeddedHostProcess({
      hostFile,
      settings: { modelFile, threads, sequences, contextLength },
      startDeadlineMs,
      onEnded: () => {
        this.#processes.delete(launched);
        // Another process has replaced this one, or this one never became the current one.
        if (this.#process !== launched) return;
        this.#process = undefined;
        this.#failures++;
        this.#lastFailure = this.#now();
      },
    });
    this.#processes.add(launched);
    return launched;
  }
}

type HostEvent = CallMessage | 'ended' | 'aborted';

class HostEventQueue {
  readonly #events: HostEvent[] = [];
  #wake: (() => void) | undefined;

  put(event: HostEvent): void {
    // Queued tokens are not needed any more.
    if (event === 'aborted') this.#events.length = 0;
    this.#events.push(event);
    this.#wake?.();
  }

  async take(): Promise<HostEvent> {
    for (;;) {
      const event = this.#events.shift();
      if (event !== undefined) return event;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}

function stopping(): AppError {
  return new AppError('unavailable', 'The embedded engine is stopping.', { reason: 'stopping' });
}

function weightsIncompatible(): AppError {
  return new AppError('invalid_request', 'The weights are of a model with another vocabulary.', {
    reason: 'weights_incompatible',
  });
}

function tooManyCalls(): AppError {
  return new AppError('unavailable', 'The embedded engine has too many calls.', { reason: 'engine_busy' });
}

function hostKeepsExiting(): AppError {
  return new AppError('unavailable', 'The process of the embedded engine exited several times in a row.', {
    reason: 'engine_down',
  });
}

/** A retry is safe only where nothing was sampled. */
function processEnded(hasTokens: boolean, notes: string): AppError {
  return new AppError(hasTokens ? 'upstream_failed' : 'unavailable', 'The process of the embedded engine exited.', {
    reason: 'engine_ended',
    cause: new Error(notes),
  });
}

function taskFailed({ reason, text }: { readonly reason: string; readonly text: string }): AppError {
  const cause = new Error(text);
  if (reason === 'grammar_invalid') {
    return new AppError('invalid_request', 'The embedded engine cannot parse the grammar.', { reason, cause });
  }
  return new AppError('upstream_failed', 'The embedded engine failed.', { reason: 'engine_failed', cause });
}
