import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

const hostFile = path.resolve(__dirname, '../../../rollout-proxy/dist/embedded-host.js');

/** The same model in a separate process, which has seen none of the episode. */
export interface Rescorer {
  /** Log-probabilities of `ids[1]`, `ids[2]`, … by teacher forcing in one fresh pass. */
  rescore(ids: readonly number[], temperature?: number): Promise<Float32Array>;
  stop(): Promise<void>;
}

interface HostAnswer {
  readonly kind: string;
  readonly call?: number;
  readonly logprobs?: Float32Array;
}

const deadlineMs = 60_000;

export async function startRescorer(modelFile: string): Promise<Rescorer> {
  const child = fork(hostFile, [], {
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const answers = (wanted: (answer: HostAnswer) => boolean): Promise<HostAnswer> =>
    new Promise((resolve, reject) => {
      const stop = (): void => {
        clearTimeout(timer);
        child.off('message', take);
        child.off('exit', onExit);
      };
      const take = (message: unknown): void => {
        const answer = message as HostAnswer;
        if (!wanted(answer)) return;
        stop();
        resolve(answer);
      };
      const onExit = (): void => {
        stop();
        reject(new Error('The process of the model ended.'));
      };
      const timer = setTimeout(onExit, deadlineMs);
      child.on('message', take);
      child.once('exit', onExit);
    });
  const loaded = answers(({ kind }) => kind === 'ready' || kind === 'not-started');
  child.send({ kind: 'start', settings: { modelFile, threads: 1, sequences: 1, contextLength: undefined } });
  if ((await loaded).kind !== 'ready') throw new Error('The model could not be loaded.');
  let calls = 0;
  return {
    rescore: async (ids, temperature = 1) => {
      const call = ++calls;
      const answered = answers((answer) => answer.call === call);
      child.send({
        kind: 'task',
        call,
        task: { kind: 'rescore', rescoring: { ids: Int32Array.from(ids), temperature } },
      });
      const { logprobs } = await answered;
      if (logprobs === undefined) throw new Error('The tokens could not be scored.');
      return logprobs;
    },
    stop: async () => {
      const exit = once(child, 'exit');
      child.disconnect();
      await exit;
    },
  };
}
