import {
  appendedText,
  joinAnswer,
  keepsReasoning,
  createPlaceholderExchange,
  type Message,
  type ModelFamily,
  type PlaceholderExchange,
  type ReasoningRetention,
} from '@weir/rollout-core';
import { isAppError } from '@weir/foundation';
import type { ConversationRenderer, RenderContext } from './conversation-renderer';
import type { GuardedMessages } from './guard-names';
import type { ForkReason, ParentCompletion } from './prompt-builder';

/** The policy for an answer that the token limit cut off: close it as the template would, or begin a new path. */
export type CutOffPolicy = 'close' | 'refuse';

export interface SuffixRendererParts {
  readonly renderer: ConversationRenderer;
  readonly family: ModelFamily;
  readonly retention: ReasoningRetention;
  readonly cutOff: CutOffPolicy;
  readonly marker: string;
  /** Text of a control token; `undefined` for any other token. */
  readonly controlText: (id: number) => string | undefined;
}

export type Suffix =
  | { readonly kind: 'suffix'; readonly text: string; readonly replacesLast: boolean }
  | { readonly kind: 'fork'; readonly reason: ForkReason };

export interface SuffixInput {
  /** The text that follows the parent's tokens in the same message. */
  readonly continuation: string;
  readonly newMessages: readonly Message[];
  /** The same messages, guarded. */
  readonly guarded: GuardedMessages;
  readonly parent: ParentCompletion;
  readonly context: RenderContext;
}

export type RenderSuffix = (input: SuffixInput) => Promise<Suffix>;

const fork = (reason: ForkReason): Suffix => ({ kind: 'fork', reason });

/** Renders the text after the parent's tokens, at the cost of the new messages only. */
export function createSuffixRenderer(parts: SuffixRendererParts): RenderSuffix {
  return async (input) => {
    if (input.newMessages.length === 0) return fork('nothing_new');
    if (input.parent.finishReason === 'length' && parts.cutOff === 'refuse') return fork('answer_cut_off');
    try {
      return await renderSuffix(parts, input);
    } catch (error) {
      // The template may accept the whole conversation but not the placeholder; the full rendering decides.
      if (isAppError(error) && error.reason === 'template_refused') return fork('suffix_refused');
      throw error;
    }
  };
}

async function renderSuffix(
  parts: SuffixRendererParts,
  { continuation, newMessages, guarded, parent, context }: SuffixInput,
): Promise<Suffix> {
  const { renderer, family, marker } = parts;
  const placeholder = createPlaceholderExchange({
    marker,
    answer: parent.output,
    hasReasoning: parent.hasReasoning,
    newMessages,
  });
  // Calls are rendered elsewhere than the text of an answer.
  if (continuation !== '' && placeholder.carriesCalls) return fork('suffix_refused');
  const exchange = renderer.guardOwn(continuePlaceholder(placeholder, continuation));
  const whole = { guarded: [...exchange.guarded, ...guarded.guarded] };
  const extended = await renderer.renderInParts(context, whole, { addGenerationPrompt: true });
  const compare = () => {
    const question = rendered(renderer, placeholder.messages.slice(0, 1), context);
    const base = rendered(renderer, placeholder.messages, context);
    return appendedText({ placeholder, family, question, base, extended });
  };
  let found = compare();
  if (found.kind === 'not_append_only' && context.bases.size > 0) {
    // A template that renders the date has another head after midnight.
    context.bases.clear();
    found = compare();
  }
  if (found.kind === 'not_append_only') return fork('template_not_append_only');
  if (found.dropsReasoning && !keepsReasoning(parts.retention, newMessages)) return fork('reasoning_dropped');
  const lastControl = parts.controlText(parent.tokens.at(-1) ?? -1);
  const { text, replacesLast } = joinAnswer({ family, appended: found.text, lastControl });
  return { kind: 'suffix', text, replacesLast };
}

/** The template renders a placeholder for a continuation; the rendered text follows the marker. */
const continuePlaceholder = ({ messages }: PlaceholderExchange, continuation: string): readonly Message[] =>
  continuation === ''
    ? messages
    : messages.map((message) =>
        message.role === 'assistant' ? { ...message, content: message.content + continuation } : message,
      );

/** A question alone is rendered with the generation prompt, an exchange without it. */
function rendered(renderer: ConversationRenderer, messages: readonly Message[], context: RenderContext): string {
  const key = JSON.stringify(messages);
  const known = context.bases.get(key);
  if (known !== undefined) return known;
  const text = renderer.render(context, renderer.guardOwn(messages), { addGenerationPrompt: messages.length === 1 });
  context.bases.set(key, text);
  return text;
}
