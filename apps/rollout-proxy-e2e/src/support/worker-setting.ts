import { readFileSync } from 'node:fs';
import { startFakeEngine, type FakeEngine } from '@weir/fake-engine';
import { waitFor, type TemporaryFolder } from '@weir/test-kit';
import { byteTokenizerFolder, encode, vocabularySize } from './byte-tokenizer';
import { answerByPrompt } from './replica-setting';
import { startRolloutProxy, type RolloutProxy } from './rollout-proxy';

/** The built proxy as several processes behind one address, before one engine. */
export interface WorkerSetting {
  readonly engine: FakeEngine;
  readonly proxy: RolloutProxy;
  /** Starts another one with the same settings, on a folder that no other one uses then. */
  readonly start: (env?: Readonly<Record<string, string>>, home?: TemporaryFolder) => Promise<RolloutProxy>;
  /** Makes every later answer wait, a streamed one after some tokens, until the engine releases it. */
  readonly holdAnswers: () => void;
  /** Ends that. */
  readonly answer: () => void;
  readonly stop: () => Promise<void>;
}

export async function startWorkerSetting(env: Readonly<Record<string, string>> = {}): Promise<WorkerSetting> {
  const tokenizer = byteTokenizerFolder();
  const engine = await startFakeEngine({ dialect: 'sglang', encode, vocabularySize });
  engine.setScript(answerByPrompt);
  const started: RolloutProxy[] = [];
  const start: WorkerSetting['start'] = async (more = {}, home) => {
    const proxy = await startRolloutProxy({
      ...(home === undefined ? {} : { home }),
      env: {
        ROLLOUT_ENGINE: 'sglang',
        ROLLOUT_ENGINE_URLS: engine.url,
        ROLLOUT_TOKENIZER: tokenizer.path,
        ROLLOUT_WORKERS: '3',
        ...env,
        ...more,
      },
    });
    started.push(proxy);
    return proxy;
  };
  const stop: WorkerSetting['stop'] = async () => {
    await Promise.all(started.map((proxy) => proxy.dispose()));
    await engine.stop();
    await tokenizer.remove();
  };
  try {
    return {
      engine,
      proxy: await start(),
      start,
      holdAnswers: () =>
        engine.setScript((request) => ({
          ...answerByPrompt(request),
          faults: request.isStreaming ? { holdAfterTokens: 3 } : { isHeld: true },
        })),
      answer: () => engine.setScript(answerByPrompt),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The process ids of the workers. */
export function workersOf({ process: { pid } }: RolloutProxy): readonly number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
}

/** Whether a process is there and is not only waiting to be noticed by its parent. */
export function isAlive(pid: number): boolean {
  try {
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return false;
  }
}

/** Ends workers, and waits until others have taken their place. */
export async function endWorkers(
  proxy: RolloutProxy,
  pids: readonly number[],
  signal: NodeJS.Signals = 'SIGKILL',
): Promise<void> {
  const addresses = async () => (await proxy.createClient().getStatus()).replicas.length;
  const count = workersOf(proxy).length;
  for (const pid of pids) process.kill(pid, signal);
  await waitFor(
    async () =>
      pids.every((pid) => !isAlive(pid)) && workersOf(proxy).length === count && (await addresses()) === count,
    { what: 'the workers to be replaced' },
  );
}
