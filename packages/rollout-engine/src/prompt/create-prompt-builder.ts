import { randomBytes } from 'node:crypto';
import {
  defaultReasoningRetention,
  detectFamily,
  type Message,
  type ModelFamily,
  type ReasoningRetention,
} from '@weir/rollout-core';
import { yieldToEventLoop, AppError } from '@weir/foundation';
import { mapInBatches } from '../tokenizer/map-in-batches';
import { joinIds } from '../tokenizer/join-ids';
import { namedTokenPattern } from '../tokenizer/named-tokens';
import type { Tokenizer } from '../tokenizer/tokenizer';
import {
  createConversationRenderer,
  type ConversationRenderer,
  type RenderContext,
  type RenderForm,
} from './conversation-renderer';
import { markAsAscii, splitPieces, type GuardedNames } from './guard-names';
import type { Continuity, ParentCompletion, PreparedPrompt, PromptBuilder, PromptInput } from './prompt-builder';
import { createSuffixRenderer, type CutOffPolicy } from './suffix-renderer';

export interface PromptBuilderOptions {
  readonly tokenizer: Tokenizer;
  /** Default: detected from template and vocabulary. */
  readonly family?: ModelFamily;
  /** Default `all`. */
  readonly retention?: ReasoningRetention;
  /** The policy for an answer that the token limit cut off. Default `close`. */
  readonly cutOff?: CutOffPolicy;
  /** Names of tokens that messages must not be able to produce, besides control tokens. */
  readonly addedTokens?: readonly string[];
  /** Rendering takes some 30 µs per message, on the event loop. More messages are rejected. Default 10,000. */
  readonly maxMessages?: number;
  /** The engine's limit; longer text is rejected before it is encoded. Default: no limit. */
  readonly contextTokens?: () => number;
  /** The clock for templates that render the date. */
  readonly now?: () => Date;
}

const defaultMaxMessages = 10_000;

/** Throws an `AppError` with reason `template_invalid` where the chat template cannot be parsed. */
export function createPromptBuilder(options: PromptBuilderOptions): PromptBuilder {
  const { tokenizer, now = () => new Date() } = options;
  const controlText = createControlText(tokenizer);
  const family = options.family ?? detectTokenizerFamily(tokenizer, controlText);
  const assertLength = (text: string, param: 'messages' | 'tools'): void => {
    if (options.contextTokens !== undefined) assertPromptLength(text, options.contextTokens(), param);
  };
  const renderer = createConversationRenderer({
    tokenizer,
    assertContextLength: (json) => assertLength(json, 'tools'),
    names: collectNames(options, controlText),
    maxMessages: options.maxMessages ?? defaultMaxMessages,
    now,
  });
  const renderSuffix = createSuffixRenderer({
    renderer,
    family,
    retention: options.retention ?? defaultReasoningRetention,
    cutOff: options.cutOff ?? 'close',
    marker: `weir${randomBytes(12).toString('hex')}`,
    controlText,
  });
  const render = createPromptRenderer(renderer);
  const encode = createPieceEncoder(tokenizer);
  const finish = createFinish((text) => {
    assertLength(text, 'messages');
    return encode(text);
  }, family);
  const buildWhole = async (input: PromptInput, continuity: Continuity) => {
    const context = renderer.prepareContext(input.tools, input.templateArguments);
    const text = await render(context, input.messages, { addGenerationPrompt: true });
    return finish({ inherited: new Int32Array(0), text, continuity });
  };
  const buildContinuation = async (input: PromptInput, parent: ParentCompletion) => {
    const context = renderer.prepareContext(input.tools, input.templateArguments);
    const { continuation, newMessages } = splitContinuation(input.newMessages, parent);
    const guarded = await renderer.guard(newMessages);
    await yieldToEventLoop();
    const suffix = await renderSuffix({ continuation, newMessages, guarded, parent, context });
    if (suffix.kind === 'fork') return buildWhole(input, { kind: 'forked', reason: suffix.reason });
    return finish({
      inherited: suffix.replacesLast ? parent.tokens.subarray(0, -1) : parent.tokens,
      text: suffix.text,
      continuity: suffix.replacesLast ? { kind: 'forked', reason: 'closer_replaced' } : { kind: 'continued' },
    });
  };
  return {
    family,
    templateDigest: renderer.templateDigest,
    build: async (input) =>
      input.parent === undefined ? buildWhole(input, { kind: 'root' }) : buildContinuation(input, input.parent),
    renderPath: async (messages, tools, templateArguments) =>
      encode(await render(renderer.prepareContext(tools, templateArguments), messages, { addGenerationPrompt: false })),
    async count(messages, tools) {
      const input = { messages, newMessages: messages, tools, templateArguments: {} };
      return (await buildWhole(input, { kind: 'root' })).ids.length;
    },
    stop: () => Promise.resolve(),
  };
}

// Guarding, rendering, splitting and encoding each hold the event loop for milliseconds with 10 MB of text.

function createPromptRenderer(renderer: ConversationRenderer) {
  return async (context: RenderContext, messages: readonly Message[], form: RenderForm): Promise<string> => {
    const guarded = await renderer.guard(messages);
    await yieldToEventLoop();
    return renderer.renderInParts(context, guarded, form);
  };
}

function createPieceEncoder(tokenizer: Tokenizer) {
  return async (text: string): Promise<Int32Array> => {
    await yieldToEventLoop();
    const pieces = splitPieces(text);
    await yieldToEventLoop();
    return joinIds(await mapInBatches(pieces, (piece) => tokenizer.encode(piece, { control: true })));
  };
}

function splitContinuation(newMessages: readonly Message[], { cutText = '' }: ParentCompletion) {
  const [first, ...others] = newMessages;
  if (first?.continues !== true) return { continuation: '', newMessages };
  // The tokens of the parent hold the stop string already.
  return { continuation: first.content.slice(cutText.length), newMessages: others };
}

interface PromptDraft {
  readonly inherited: Int32Array;
  readonly text: string;
  readonly continuity: Continuity;
}

function createFinish(encode: (text: string) => Promise<Int32Array>, { reasoningMarks: [open] }: ModelFamily) {
  return async ({ inherited, text, continuity }: PromptDraft): Promise<PreparedPrompt> => {
    const encoded = await encode(text);
    return {
      ids: joinIds([inherited, encoded]),
      inherited: inherited.length,
      continuity,
      startsInReasoning: text
        .slice(-open.length - maxSpaceAfterReasoning)
        .trimEnd()
        .endsWith(open),
      encodedTokens: encoded.length,
    };
  };
}

const maxSpaceAfterReasoning = 16;

type ControlText = (id: number) => string | undefined;

function createControlText(tokenizer: Tokenizer): ControlText {
  const decoder = new TextDecoder();
  // Some vocabularies list the end of a message as a plain added token.
  const ends = new Set(tokenizer.endIds);
  return (id) => (tokenizer.isControl(id) || ends.has(id) ? decoder.decode(tokenizer.tokenBytes(id)) : undefined);
}

const detectTokenizerFamily = (tokenizer: Tokenizer, controlText: ControlText): ModelFamily =>
  detectFamily({
    chatTemplate: tokenizer.chatTemplate,
    hasToken: (token) => tokenizer.findId(token) !== undefined,
    endTokens: tokenizer.endIds.map(controlText).filter((text) => text !== undefined),
  });

function collectNames({ tokenizer, addedTokens = [] }: PromptBuilderOptions, controlText: ControlText): GuardedNames {
  const control: string[] = [];
  for (let id = 0; id < tokenizer.vocabularySize; id += 1) {
    const name = controlText(id);
    if (name !== undefined) control.push(name);
  }
  const always = [...control, markAsAscii];
  return { all: namedTokenPattern([...always, ...addedTokens]), control: namedTokenPattern(always) };
}

/**
 * Characters for each token of the context. Prose has 4 to 5; only long runs of spaces and rulers have more than this.
 * The native encoder holds a thread for seconds with text that is longer than any context.
 */
const charactersPerToken = 16;

const subjects = { messages: 'The new messages have', tools: 'Tools and template arguments have' } as const;

/** Throws `payload_too_large` for text that no context of that many tokens can hold, before it is encoded. */
function assertPromptLength(text: string, contextTokens: number, param: keyof typeof subjects): void {
  const limit = contextTokens * charactersPerToken;
  if (text.length <= limit) return;
  throw new AppError(
    'payload_too_large',
    `${subjects[param]} ${text.length} characters, and ${limit} are the most for a context of ${contextTokens} tokens.`,
    { reason: 'context_length_exceeded', details: { param } },
  );
}
