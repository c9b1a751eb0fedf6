import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { AppError } from '@weir/foundation';
import type { LoadedModelInfo, HostMessage, HostRequest, HostSettings, HostTask } from './host/host-messages';

export type CallMessage = Extract<HostMessage, { readonly call: number }>;

interface ProcessOptions {
  /** The file of the bundled `embedded-host`. */
  readonly hostFile: string;
  readonly settings: HostSettings;
  readonly startDeadlineMs: number;
  /** Called when the process has exited for any reason. */
  readonly onEnded: () => void;
}

const maxOutputLength = 2_000;
const stopDeadlineMs = 2_000;

/** One run of the process that holds the model. Every pending call is notified when it exits. */
export class EmbeddedHostProcess {
  /** Resolves with the loaded model. Rejects with `unavailable`. */
  readonly ready: Promise<LoadedModelInfo>;
  readonly #child: ChildProcess;
  readonly #options: ProcessOptions;
  readonly #listeners = new Map<number, (message: CallMessage | 'ended') => void>();
  #loaded: (info: LoadedModelInfo) => void = () => undefined;
  #notLoaded: (error: AppError) => void = () => undefined;
  #lastOutput = '';
  #isEnded = false;
  #isRetired = false;
  #stopping: Promise<void> | undefined;

  constructor(options: ProcessOptions) {
    this.#options = options;
    this.#child = fork(options.hostFile, [], {
      // It needs nothing from this process. The library samples each sequence of a batch on a thread of Node's pool, and
      // llama.cpp sorts the rows of the logits on the first access, without a lock: two threads at once would read
      // rows of other sequences. Evaluation has threads of its own.
      // The library asks for the home folder when it is loaded, and a user without a name, as in a container, has none.
      env: { UV_THREADPOOL_SIZE: '1', HOME: tmpdir() },
      execArgv: [],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.ready = new Promise((resolve, reject) => {
      this.#loaded = resolve;
      this.#notLoaded = reject;
    });
    this.ready.catch(() => undefined);
    this.#child.on('message', (message) => this.#take(message as HostMessage));
    this.#child.on('error', () => this.#end());
    this.#child.on('exit', () => this.#end());
    this.#child.stderr?.on('data', (data: Buffer) => {
      this.#lastOutput = (this.#lastOutput + data.toString()).slice(-maxOutputLength);
    });
    const deadline = setTimeout(() => this.kill(), options.startDeadlineMs);
    const loaded = (): void => clearTimeout(deadline);
    this.ready.then(loaded, loaded);
    this.#send({ kind: 'start', settings: options.settings });
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** The end of its standard error, for the cause of an error. */
  get lastOutput(): string {
    return this.#lastOutput;
  }

  begin(call: number, task: HostTask, listener: (message: CallMessage | 'ended') => void): void {
    if (this.#isEnded) {
      listener('ended');
      return;
    }
    this.#listeners.set(call, listener);
    this.#send({ kind: 'task', call, task });
  }

  cancel(call: number): void {
    if (this.#listeners.delete(call)) this.#send({ kind: 'cancel', call });
    this.#stopIfUnused();
  }

  /** Stops it when its last call has ended. */
  retire(): void {
    this.#isRetired = true;
    this.#stopIfUnused();
  }

  #stopIfUnused(): void {
    if (this.#isRetired && this.#listeners.size === 0) void this.stop();
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#isEnded ? Promise.resolve() : this.#stop();
    return this.#stopping;
  }

  async #stop(): Promise<void> {
    const exit = once(this.#child, 'exit');
    const deadline = setTimeout(() => this.kill(), stopDeadlineMs);
    // Makes it exit.
    if (this.#child.connected) this.#child.disconnect();
    await exit;
    clearTimeout(deadline);
  }

  #send(request: HostRequest): void {
    if (this.#child.connected) this.#child.send(request, () => undefined);
  }

  #take(message: HostMessage): void {
    if (message.kind === 'ready') this.#loaded(message.info);
    else if (message.kind === 'not-started') {
      this.#lastOutput = message.text;
      this.kill();
    } else this.#hand(message);
  }

  #hand(message: CallMessage): void {
    const listener = this.#listeners.get(message.call);
    if (message.kind !== 'tokens') this.#listeners.delete(message.call);
    listener?.(message);
    this.#stopIfUnused();
  }

  #end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#notLoaded(modelNotLoaded(this.#lastOutput));
    this.#options.onEnded();
    const listeners = [...this.#listeners.values()];
    this.#listeners.clear();
    for (const listener of listeners) listener('ended');
  }
}

function modelNotLoaded(lastOutput: string): AppError {
  return new AppError('unavailable', 'The embedded model could not be loaded.', {
    reason: 'model_not_loaded',
    cause: new Error(lastOutput),
  });
}
