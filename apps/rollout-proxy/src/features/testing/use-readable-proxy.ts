import type { Answer } from './test-proxy';
import { useTestProxy, type TestProxyInUse } from './use-test-proxy';

export const readKey = 'a-read-only-key-for-specs';
export const user = (content: string) => ({ role: 'user', content });

interface Said {
  readonly id: string;
  readonly message: { readonly role: string; readonly content: string };
}

export interface ReadableProxy extends Pick<TestProxyInUse, 'call' | 'start' | 'url'> {
  /** Uses the key that only reads. */
  readonly get: (address: string) => Promise<Answer>;
  readonly talk: (key: string, messages: readonly object[]) => Promise<Said>;
  /** Asks two questions, of which the second has a reward. */
  readonly converse: (taskId?: string) => Promise<Readonly<Record<'id' | 'key' | 'first' | 'second', string>>>;
}

/** Gives each case a proxy of its own, with a key that only reads. */
export function useReadableProxy(): ReadableProxy {
  const proxy = useTestProxy({ ROLLOUT_READ_KEY: readKey });
  const { call, start } = proxy;
  const talk: ReadableProxy['talk'] = async (key, messages) => {
    const { body } = await call('/chat/completions', { key, body: { model: 'echo', messages } });
    const [choice] = body.choices as Said[];
    return { id: String(body.id), message: choice?.message ?? user('') };
  };
  return {
    get url() {
      return proxy.url;
    },
    call,
    start,
    get: (address) => call(address, { method: 'GET', key: readKey }),
    talk,
    converse: async (taskId = 'task') => {
      const { id, key } = await start(taskId);
      const first = await talk(key, [user('How high is the Zugspitze?')]);
      const second = await talk(key, [user('How high is the Zugspitze?'), first.message, user('In feet?')]);
      await call('/rl/set_reward', { key, body: { reward: 1, interaction_id: second.id } });
      return { id, key, first: first.id, second: second.id };
    },
  };
}
