import {
  appendedText,
  joinAnswer,
  keepsReasoning,
  createPlaceholderExchange,
  type Message,
  type ModelFamily,
  type ReasoningRetention,
} from '@weir/rollout-core';
import { isAppError } from '@weir/errors';
import type { ConversationRenderer, RenderContext } from './conversation-renderer';
import type { ForkReason, ParentCompletion, PromptInput } from './prompt-builder';

/** What to do with an answer that the token limit cut off: close it as the template would, or begin a new path. */
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

export type RenderSuffix = (input: PromptInput, parent: ParentCompletion, context: RenderContext) => Suffix;

const fork = (reason: ForkReason): Suffix => ({ kind: 'fork', reason });

/** Renders the text after the parent's tokens, at the cost of the new messages only. */
export function createSuffixRenderer(parts: SuffixRendererParts): RenderSuffix {
  return (input, parent, context) => {
    if (input.newMessages.length === 0) return fork('nothing_new');
    if (parent.finishReason === 'length' && parts.cutOff === 'refuse') return fork('answer_cut_off');
    try {
      return renderSuffix(parts, input, parent, context);
    } catch (error) {
      // The template may accept the whole conversation but not the placeholder; the full rendering decides.
      if (isAppError(error) && error.reason === 'template_refused') return fork('suffix_refused');
      throw error;
    }
  };
}

function renderSuffix(
  parts: SuffixRendererParts,
  { newMessages }: PromptInput,
  parent: ParentCompletion,
  context: RenderContext,
): Suffix {
  const { renderer, family, marker } = parts;
  const placeholder = createPlaceholderExchange({
    marker,
    answer: parent.output,
    hasReasoning: parent.hasReasoning,
    newMessages,
  });
  const extended = renderer.render(context, [...placeholder.messages, ...newMessages], { addGenerationPrompt: true });
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

/** A question alone is rendered with the generation prompt, an exchange without it. */
function rendered(renderer: ConversationRenderer, messages: readonly Message[], context: RenderContext): string {
  const key = JSON.stringify(messages);
  const known = context.bases.get(key);
  if (known !== undefined) return known;
  const text = renderer.render(context, messages, { addGenerationPrompt: messages.length === 1 });
  context.bases.set(key, text);
  return text;
}
