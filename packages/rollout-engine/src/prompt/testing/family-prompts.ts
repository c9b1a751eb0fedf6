import type { Message, ToolDefinition } from '@weir/rollout-core';
import { testFamilies, type TestFamilyName } from '../../testing/test-families';
import { tinyTokenizer } from '../../testing/tiny-tokenizer';
import { createHuggingFaceTokenizer } from '../../tokenizer/hugging-face-tokenizer';
import { createPromptBuilder, type PromptBuilderOptions } from '../create-prompt-builder';
import type { ParentCompletion, PromptInput } from '../prompt-builder';

export const familyNames = Object.keys(testFamilies) as TestFamilyName[];

/** A prompt builder of a family with its tiny tokenizer, and what reads its ids. */
export const build = (name: TestFamilyName, options: Partial<PromptBuilderOptions> = {}, chatTemplate?: string) => {
  const tiny = tinyTokenizer(name);
  const tokenizer = createHuggingFaceTokenizer({ ...tiny, chatTemplate: chatTemplate ?? tiny.chatTemplate });
  const prompts = createPromptBuilder({ tokenizer, addedTokens: tokenizer.addedTokens, ...options });
  const toText = (ids: Int32Array) => {
    const decoder = tokenizer.createDecoder({ showsControl: () => true });
    return decoder.push(ids) + decoder.end();
  };
  const requireId = (token: string) => tokenizer.findId(token) ?? -1;
  return { tokenizer, prompts, toText, requireId };
};

export const user = (content: string): Message => ({ role: 'user', content });
export const answer = (content: string): Message => ({ role: 'assistant', content });

export const input = (messages: readonly Message[], more: Partial<PromptInput> = {}): PromptInput => ({
  messages,
  newMessages: messages,
  tools: [],
  templateArguments: {},
  ...more,
});

export const toParent = (
  tokens: Int32Array,
  output: Message,
  more: Partial<ParentCompletion> = {},
): ParentCompletion => ({
  tokens,
  output,
  finishReason: 'stop',
  hasReasoning: false,
  ...more,
});

export const weather: ToolDefinition = {
  name: 'weather',
  description: 'Tells the weather.',
  parameters: { type: 'object', properties: { place: { type: 'string' } } },
};
