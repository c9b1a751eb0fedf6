import { randomUUID } from 'node:crypto';
import {
  chooseReasoningParser,
  chooseToolParser,
  defaultReasoningRetention,
  type ModelFamily,
  type ReasoningParserName,
  type ReasoningRetention,
  type ToolParserName,
} from '@weir/rollout-core';
import type { EngineInfo, InferenceEngine } from '../engine/port/inference-engine';
import { createPromptBuilder } from '../prompt/create-prompt-builder';
import type { PromptBuilder } from '../prompt/prompt-builder';
import type { Tokenizer } from '../tokenizer/tokenizer';
import type { RunCompletion } from './completion';
import type { CompletionLimits } from './completion-limits';
import type { CompletionSession } from './completion-session';
import type { ExpertShape, Recording } from '../engine/port/recording';
import { createCompletionRunner } from './run-completion';

export interface CompletionModelOptions {
  readonly engine: InferenceEngine;
  /** Returns the result of the last probe. */
  readonly engineInfo: () => EngineInfo;
  readonly tokenizer: Tokenizer & { readonly addedTokens?: readonly string[] };
  /** Default: detected from the chat template. */
  readonly toolParser?: ToolParserName | undefined;
  readonly reasoningParser?: ReasoningParserName | undefined;
  /** Default `all`. */
  readonly reasoningRetention?: ReasoningRetention | undefined;
  readonly limits: CompletionLimits;
  /** What is kept of calls, for sessions and calls that do not say otherwise. Default: nothing more. */
  readonly recording?: Partial<Recording> | undefined;
  /** That of the model, where experts can be recorded. */
  readonly expertShape?: ExpertShape | undefined;
}

/** What is known of the model's formats, given or detected from its chat template and vocabulary. */
export interface ModelFormats {
  readonly family: ModelFamily['name'];
  /** Tokens that end an answer. */
  readonly closers: readonly string[];
  readonly toolParser: ToolParserName;
  readonly reasoningParser: ReasoningParserName;
}

/** An engine with its tokenizer, its prompts and its parsers: what runs completions of sessions. */
export interface CompletionModel {
  readonly runCompletion: RunCompletion<CompletionSession>;
  readonly prompts: PromptBuilder;
  readonly formats: ModelFormats;
  /** Stops the prompt builder; engine and tokenizer are the caller's. */
  stop(): Promise<void>;
}

export function createCompletionModel(options: CompletionModelOptions): CompletionModel {
  const { engine, engineInfo, tokenizer, limits } = options;
  const prompts = createPromptBuilder({
    tokenizer,
    contextTokens: () => engineInfo().contextLength,
    retention: options.reasoningRetention ?? defaultReasoningRetention,
    ...(tokenizer.addedTokens === undefined ? {} : { addedTokens: tokenizer.addedTokens }),
  });
  const formats: ModelFormats = {
    family: prompts.family.name,
    closers: prompts.family.closers,
    toolParser: options.toolParser ?? chooseToolParser(tokenizer.chatTemplate),
    reasoningParser: options.reasoningParser ?? chooseReasoningParser(tokenizer.chatTemplate),
  };
  const runCompletion = createCompletionRunner({
    engine,
    engineInfo,
    tokenizer,
    prompts,
    toolParser: formats.toolParser,
    reasoningParser: formats.reasoningParser,
    limits,
    recording: options.recording,
    expertShape: options.expertShape,
    now: () => new Date(),
    // Node makes UUIDs from random bytes that it asked for in advance.
    createId: () => randomUUID().replaceAll('-', ''),
  });
  return { runCompletion, prompts, formats, stop: () => prompts.stop() };
}
