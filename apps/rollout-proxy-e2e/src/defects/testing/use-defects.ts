import { startEpisode, type Episode } from '../../support/episode';
import { startFakeSetting, type FakeSetting } from '../../support/fake-setting';
import type { Answer } from '../../support/rollout-proxy';

export const user = (content: string) => ({ role: 'user', content });
export const hello = { messages: [user('hello')], max_tokens: 64 };
export const readError = ({ body }: Answer) => body.error as Readonly<Record<string, unknown>>;
export const readContent = ({ body }: Answer) =>
  (body.choices as { message: { role: string; content: string } }[])[0]?.message;
export const readFinishReason = ({ body }: Answer) => (body.choices as { finish_reason: string }[])[0]?.finish_reason;

/** The proxy of the suite and the episode of the present case. */
export interface DefectsInUse {
  readonly setting: FakeSetting;
  readonly episode: Episode;
  readonly request: FakeSetting['proxy']['request'];
  readonly detail: () => Promise<Answer['body']>;
}

/** Gives each case a separate episode, whose answers are good unless the case sets other ones. */
export function useDefects(): DefectsInUse {
  let setting: FakeSetting;
  let episode: Episode;
  beforeAll(async () => {
    setting = await startFakeSetting('sglang', {
      engine: { contextLength: 2_000, weightVersion: '7' },
      env: { ROLLOUT_MAX_TURN_TOKENS: '256' },
    });
  });
  afterAll(() => setting.stop());
  beforeEach(async () => {
    setting.engine.setHealth('good');
    setting.answers('fine');
    episode = await startEpisode(setting.proxy);
  });

  return {
    get setting() {
      return setting;
    },
    get episode() {
      return episode;
    },
    request: (address, options) => setting.proxy.request(address, options),
    detail: async () => (await setting.proxy.request(`/rl/sessions/${episode.id}`, { method: 'GET' })).body,
  };
}
