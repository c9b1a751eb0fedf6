import {
  startFakeEngine,
  type FakeAnswer,
  type FakeEngine,
  type FakeEngineDialect,
  type FakeEngineOptions,
} from '@weir/fake-engine';
import { byteTokenizerFolder, encode, endId, toByteIds, vocabularySize } from './byte-tokenizer';
import { startRolloutProxy, type RolloutProxy } from './rollout-proxy';

/** The built proxy before an engine that each case controls. */
export interface FakeSetting {
  readonly engine: FakeEngine;
  readonly proxy: RolloutProxy;
  /** Sets every later answer. */
  readonly answers: (answer: string | FakeAnswer) => void;
  /** Calls since the start of the case, without those of the start-up probe. */
  readonly calls: () => FakeEngine['calls'];
  readonly stop: () => Promise<void>;
}

/** An answer of this text with the token that ends it. */
export const saying = (text: string, more: Omit<FakeAnswer, 'ids'> = {}): FakeAnswer => ({
  ids: [...toByteIds(text), endId],
  finishReason: 'stop',
  ...more,
});

export async function startFakeSetting(
  dialect: FakeEngineDialect,
  more: { readonly engine?: Partial<FakeEngineOptions>; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<FakeSetting> {
  const tokenizer = byteTokenizerFolder();
  const engine = await startFakeEngine({ dialect, encode, vocabularySize, ...more.engine });
  const proxy = await startRolloutProxy({
    env: {
      ROLLOUT_ENGINE: dialect,
      ROLLOUT_ENGINE_URLS: engine.url,
      ROLLOUT_TOKENIZER: tokenizer.path,
      ...more.env,
    },
  });
  let first = engine.calls.length;
  return {
    engine,
    proxy,
    answers: (answer) => {
      first = engine.calls.length;
      engine.setScript(() => (typeof answer === 'string' ? saying(answer) : answer));
    },
    calls: () => engine.calls.slice(first),
    stop: async () => {
      await proxy.dispose();
      await engine.stop();
      await tokenizer.remove();
    },
  };
}
