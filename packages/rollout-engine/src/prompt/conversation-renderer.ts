import type { Message, ToolDefinition } from '@weir/rollout-core';
import { AppError, yieldToEventLoop } from '@weir/foundation';
import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Tokenizer } from '../tokenizer/tokenizer';
import {
  guardArguments,
  guardManyMessages,
  guardMessages,
  guardTools,
  type GuardedMessages,
  type GuardedNames,
} from './guard-names';
import { detectCallForm } from './template/call-form';
import { compileChatTemplate, type TemplateVariables } from './template/chat-template';
import { messageValues, toolValues } from './template/conversation-values';
import { nestedTooDeeply } from './template/nesting';
import { plainValue, textValue, noneValue, truthValue } from './template/template-value';

/** Tools and template arguments as the template's values: the same for all completions of a session, so made once. */
export interface RenderContext {
  readonly variables: TemplateVariables;
  /** Renderings of placeholder exchanges; see `suffix-renderer.ts`. */
  readonly bases: LRUCache<string, string>;
}

export interface RenderForm {
  readonly addGenerationPrompt: boolean;
}

export interface ConversationRenderer {
  readonly templateDigest: string;
  prepareContext(tools: readonly ToolDefinition[], templateArguments: Readonly<Record<string, unknown>>): RenderContext;
  /**
   * Guards the names of tokens in the messages of a conversation, in parts. Rejects with `payload_too_large`, reason
   * `too_many_messages` or `too_many_token_names`.
   */
  guard(messages: readonly Message[]): Promise<GuardedMessages>;
  /** Guards messages that no client sent. */
  guardOwn(messages: readonly Message[]): GuardedMessages;
  /** Renders a conversation. Throws an `AppError` with reason `template_refused`. */
  render(context: RenderContext, messages: GuardedMessages, form: RenderForm): string;
  /** The same in parts, so that other work of the process comes in between. */
  renderInParts(context: RenderContext, messages: GuardedMessages, form: RenderForm): Promise<string>;
}

export interface ConversationRendererParts {
  readonly tokenizer: Pick<Tokenizer, 'chatTemplate' | 'bosToken' | 'eosToken'>;
  readonly names: GuardedNames;
  readonly maxMessages: number;
  /** Throws for tools and template arguments, as JSON, that are too long to be prepared. */
  readonly assertContextLength: (json: string) => void;
  readonly now: () => Date;
}

const maxContexts = 64;
const maxBases = 16;
/** The limit in characters of JSON; larger contexts are made for every completion instead of filling the memory. */
const maxCachedContextLength = 512 * 1024;

export function createConversationRenderer(parts: ConversationRendererParts): ConversationRenderer {
  const { tokenizer, names, maxMessages, assertContextLength, now } = parts;
  const template = compileChatTemplate(tokenizer.chatTemplate, now);
  const common: TemplateVariables = new Map([
    ['bos_token', textValue(tokenizer.bosToken)],
    ['eos_token', textValue(tokenizer.eosToken)],
    ['documents', noneValue()],
  ]);
  const makeContext = (tools: readonly ToolDefinition[], templateArguments: Readonly<Record<string, unknown>>) => ({
    variables: new Map([
      ...common,
      ...argumentValues(guardArguments(templateArguments, names)),
      ['tools', toolValues(guardTools(tools, names))] as const,
    ]),
    bases: new LRUCache<string, string>({ max: maxBases }),
  });
  const callForm = detectCallForm((messages, form) => {
    const variables = new Map([
      ...makeContext([], {}).variables,
      ['messages', messageValues(messages, form)] as const,
      ['add_generation_prompt', truthValue(false)] as const,
    ]);
    return renderIfAccepted(() => template.render(variables));
  });
  const contexts = new LRUCache<string, RenderContext>({ max: maxContexts });
  const toVariables = (
    { variables }: RenderContext,
    { guarded }: GuardedMessages,
    { addGenerationPrompt }: RenderForm,
  ): TemplateVariables =>
    new Map([
      ...variables,
      ['messages', messageValues(guarded, callForm)],
      ['add_generation_prompt', truthValue(addGenerationPrompt)],
    ]);
  return {
    templateDigest: template.digest,
    prepareContext(tools, templateArguments) {
      const json = toJson([tools, templateArguments]);
      assertContextLength(json);
      if (json.length > maxCachedContextLength) return makeContext(tools, templateArguments);
      const key = hash('sha256', json, 'base64');
      const cached = contexts.get(key);
      if (cached !== undefined) return cached;
      const context = makeContext(tools, templateArguments);
      contexts.set(key, context);
      return context;
    },
    async guard(messages) {
      if (messages.length > maxMessages) throw tooManyMessages(maxMessages);
      return guardManyMessages(messages, names);
    },
    guardOwn: (messages) => guardMessages(messages, names),
    render: (context, messages, form) => template.render(toVariables(context, messages, form)),
    renderInParts: async (context, messages, form) => {
      const variables = toVariables(context, messages, form);
      await yieldToEventLoop();
      return template.renderInParts(variables);
    },
  };
}

const tooManyMessages = (limit: number) =>
  new AppError('payload_too_large', `A conversation may have ${limit} messages.`, { reason: 'too_many_messages' });

function renderIfAccepted(render: () => string): string | undefined {
  try {
    return render();
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

const reserved = new Set(['messages', 'tools', 'documents', 'add_generation_prompt', 'bos_token', 'eos_token']);

function argumentValues(templateArguments: Readonly<Record<string, unknown>>): TemplateVariables {
  return new Map(
    Object.entries(templateArguments).map(([name, value]) => {
      if (reserved.has(name) || name.startsWith('__')) {
        throw new AppError('invalid_request', 'A template argument has a reserved name.', {
          reason: 'template_argument_reserved',
        });
      }
      return [name, plainValue(value)];
    }),
  );
}

function toJson(data: unknown): string {
  try {
    return JSON.stringify(data);
  } catch (error) {
    throw nestedTooDeeply(error);
  }
}
