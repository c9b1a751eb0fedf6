import type { ToolDefinition } from '@weir/rollout-core';
import type { FakeAnswer } from '@weir/fake-engine';
import { startCompletionFixture, type CompletionFixture } from './completion-fixture';

export const add: ToolDefinition = {
  name: 'add',
  parameters: { type: 'object', properties: { a: { type: 'integer' } } },
};

/** The fixture that the present case has started. */
export interface CompletionFixtureInUse extends Omit<CompletionFixture, 'stop'> {
  readonly start: (...options: Parameters<typeof startCompletionFixture>) => Promise<void>;
  readonly endId: () => number;
  /** Sets every later answer. Returns how many calls there were before. */
  readonly says: (text: string, more?: Omit<FakeAnswer, 'ids'>) => Promise<number>;
  readonly lastPrompt: () => readonly number[];
}

/** Stops all started resources after each case of the file. */
export function useCompletionFixture(): CompletionFixtureInUse {
  let fixture: CompletionFixture;
  afterEach(() => fixture.stop());

  return {
    get fake() {
      return fixture.fake;
    },
    get control() {
      return fixture.control;
    },
    get tokenizer() {
      return fixture.tokenizer;
    },
    get runCompletion() {
      return fixture.runCompletion;
    },
    start: async (...options) => {
      fixture = await startCompletionFixture(...options);
    },
    endId: () => fixture.tokenizer.endIds[0] ?? 0,
    says: async (text, more = {}) => {
      const ids = [...(await fixture.tokenizer.encode(`${text}<|im_end|>`, { control: true }))];
      fixture.fake.setScript(() => ({ ids, ...more }));
      return fixture.fake.calls.length;
    },
    lastPrompt: () => [...(fixture.fake.calls.at(-1)?.request.promptIds ?? [])],
  };
}
