import type { Message, ToolDefinition } from '@weir/rollout-core';
import { AppError } from '@weir/errors';
import { createHash } from 'node:crypto';
import type { Tokenizer } from '../tokenizer/tokenizer';
import { guardArguments, guardMessages, guardTools, type GuardedNames } from './guard-names';
import { detectCallForm } from './template/call-form';
import { compileChatTemplate, type TemplateVariables } from './template/chat-template';
import { messageValues, toolValues } from './template/conversation-values';
import { nestedTooDeeply } from './template/nesting';
import { plainValue, textValue, noneValue, truthValue } from './template/template-value';

/** Tools and template arguments in the template's own values: the same for all turns of a session, so made once. */
export interface RenderContext {
  readonly variables: TemplateVariables;
  /** Renderings of stand-ins; see `suffix-renderer.ts`. */
  readonly bases: Map<string, string>;
}

export interface ConversationRenderer {
  readonly templateDigest: string;
  prepareContext(tools: readonly ToolDefinition[], templateArguments: Readonly<Record<string, unknown>>): RenderContext;
  /**
   * The text of a conversation, names of tokens in messages and tools guarded. Throws an `AppError` with reason
   * `template_refused`, or `payload_too_large` with reason `too_many_messages`.
   */
  render(
    context: RenderContext,
    messages: readonly Message[],
    options: { readonly addGenerationPrompt: boolean },
  ): string;
}

export interface ConversationRendererParts {
  readonly tokenizer: Pick<Tokenizer, 'chatTemplate' | 'bosToken' | 'eosToken'>;
  readonly names: GuardedNames;
  readonly maxMessages: number;
  readonly now: () => Date;
}

const maxContexts = 64;
/** In characters of JSON; larger ones are made anew at every turn rather than filling the memory. */
const maxCachedContextLength = 512 * 1024;

export function createConversationRenderer(parts: ConversationRendererParts): ConversationRenderer {
  const { tokenizer, names, maxMessages, now } = parts;
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
    bases: new Map<string, string>(),
  });
  const callForm = detectCallForm((messages, form) => {
    const variables = new Map([
      ...makeContext([], {}).variables,
      ['messages', messageValues(messages, form)] as const,
      ['add_generation_prompt', truthValue(false)] as const,
    ]);
    return renderIfAccepted(() => template.render(variables));
  });
  const contexts = new Map<string, RenderContext>();
  return {
    templateDigest: template.digest,
    prepareContext(tools, templateArguments) {
      const json = toJson([tools, templateArguments]);
      if (json.length > maxCachedContextLength) return makeContext(tools, templateArguments);
      const key = createHash('sha256').update(json).digest('base64');
      const context = contexts.get(key) ?? makeContext(tools, templateArguments);
      contexts.delete(key);
      contexts.set(key, context);
      evictOldest(contexts, maxContexts);
      return context;
    },
    render(context, messages, { addGenerationPrompt }) {
      if (messages.length > maxMessages) throw tooManyMessages(maxMessages);
      return template.render(
        new Map([
          ...context.variables,
          ['messages', messageValues(guardMessages(messages, names), callForm)],
          ['add_generation_prompt', truthValue(addGenerationPrompt)],
        ]),
      );
    },
  };
}

const tooManyMessages = (limit: number) =>
  new AppError('payload_too_large', `A conversation may have ${limit} messages.`, { reason: 'too_many_messages' });

export function evictOldest(entries: Map<string, unknown>, limit: number): void {
  for (const key of entries.keys()) {
    if (entries.size <= limit) return;
    entries.delete(key);
  }
}

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
        throw new AppError('invalid_request', 'A template argument has a name that is reserved.', {
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
