import type { LanguageAnswer, LanguageTasks } from './language-orders';

/** Runs the language in a worker of its own. */
export class Language {
  readonly #worker = new Worker(new URL('./language-worker.ts', import.meta.url), { type: 'module' });
  readonly #waiting = new Map<number, (result: LanguageAnswer['result']) => void>();
  #lastNumber = 0;

  constructor() {
    this.#worker.addEventListener('message', ({ data }: MessageEvent<LanguageAnswer>) => {
      this.#waiting.get(data.number)?.(data.result);
      this.#waiting.delete(data.number);
    });
  }

  /** Answers come in the order of the requests. */
  ask<Task extends keyof LanguageTasks>(
    task: Task,
    input: LanguageTasks[Task]['input'],
  ): Promise<LanguageTasks[Task]['result']> {
    const number = (this.#lastNumber += 1);
    return new Promise((resolve) => {
      // The worker answers each task with its result.
      this.#waiting.set(number, resolve);
      this.#worker.postMessage({ task, number, ...input });
    });
  }

  close(): void {
    this.#worker.terminate();
  }
}
