import { startTestProxy, type Answer, type TestProxy } from './test-proxy';

export const say = (content: string) => ({ model: 'echo', messages: [{ role: 'user', content }] });

export interface Exported {
  readonly reward: number;
  readonly original_reward: number | null;
  readonly parent_id: string | null;
  readonly tensor_dict: Readonly<
    Record<string, { readonly type: string; readonly dtype: string; readonly shape: number[] }>
  >;
}

/** The interactions of the answer to an export, by id. */
export const exported = (answer: Answer) =>
  (answer.body as unknown as { readonly interactions: Readonly<Record<string, Exported>> }).interactions;

export interface TestProxyInUse extends Pick<TestProxy, 'call' | 'start'> {
  readonly url: string;
  readonly chat: (key: string, content?: string, path?: string) => Promise<Answer>;
  /** Asks something after the first answer. */
  readonly follow: (key: string, first: Answer, content: string) => Promise<Answer>;
  readonly exportSession: (id: string, more?: object) => Promise<Answer>;
}

/** Gives each case a proxy of its own. */
export function useTestProxy(env: Readonly<Record<string, string>> = {}): TestProxyInUse {
  let proxy: TestProxy;
  beforeEach(async () => {
    proxy = await startTestProxy({ env });
  });
  afterEach(() => proxy.stop());

  const call: TestProxy['call'] = (...given) => proxy.call(...given);
  return {
    get url() {
      return proxy.url;
    },
    call,
    start: (taskId) => proxy.start(taskId),
    chat: (key, content = 'hello', path = '/v1/chat/completions') => call(path, { key, body: say(content) }),
    follow: (key, first, content) => {
      const [choice] = first.body.choices as { message: { role: string; content: string } }[];
      const messages = [{ role: 'user', content: 'hello' }, choice?.message, { role: 'user', content }];
      return call('/chat/completions', { key, body: { model: 'echo', messages } });
    },
    exportSession: (id, more = {}) =>
      call('/export_trajectories', { body: { session_id: id, wait_seconds: 0, ...more } }),
  };
}
