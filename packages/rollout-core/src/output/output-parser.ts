import type { ToolDefinition } from '../conversation/message';
import { deepseekFormat } from './formats/deepseek';
import { hermesFormat } from './formats/hermes';
import { llama3JsonFormat } from './formats/llama3-json';
import { mistralFormat } from './formats/mistral';
import { qwen3CoderFormat } from './formats/qwen3-coder';
import type { ToolFormat } from './formats/tool-format';
import type { OutputEvent, OutputParser } from './output-event';
import type { ReasoningParserName, ToolParserName } from './parser-names';
import { createReasoningStage, type ReasoningStage, type ReasoningTags } from './reasoning-stage';
import { createToolStage } from './tool-stage';

export interface OutputParserOptions {
  readonly toolParser: ToolParserName;
  readonly reasoningParser: ReasoningParserName;
  /** Without any, no calls are read. */
  readonly tools: readonly ToolDefinition[];
  readonly newCallId: () => string;
  /** Whether the prompt ended inside the reasoning block. Default: only with `deepseek-r1`. */
  readonly startsInReasoning?: boolean;
  /**
   * `whole`: a call is told once it has ended, so that one that is cut off or malformed becomes text again. `streamed`:
   * its arguments are told as they come; when such a call breaks it ends as it is, and only what follows is text.
   * Default `whole`.
   */
  readonly callDelivery?: 'whole' | 'streamed';
  /** What would be a further call stays text. Default 128. */
  readonly maxCalls?: number;
  /** Length of the arguments of one call in UTF-16 units; longer ones stay text. Default 1,048,576. */
  readonly maxArgumentLength?: number;
}

const thinkTags = { open: '<think>', close: '</think>' } as const;

const reasoningTags: Readonly<Record<Exclude<ReasoningParserName, 'none'>, ReasoningTags>> = {
  qwen3: { ...thinkTags, startsInside: false },
  'deepseek-r1': { ...thinkTags, startsInside: true },
  'mistral-think': { open: '[THINK]', close: '[/THINK]', startsInside: false },
};

/**
 * Reads one answer: the reasoning block first, then text and calls. The joined events are the same however the text was
 * cut into pieces, and the work is linear in its length. Never throws for what the model wrote.
 */
export function createOutputParser(options: OutputParserOptions): OutputParser {
  const reasoning = selectReasoningStage(options);
  const calls = selectToolStage(options);
  if (reasoning === undefined) return calls;
  return {
    push(text) {
      const { events, rest } = reasoning.push(text);
      return rest === '' ? events : [...events, ...calls.push(rest)];
    },
    end() {
      const { events, rest } = reasoning.end();
      return [...events, ...calls.push(rest), ...calls.end()];
    },
  };
}

function selectReasoningStage(options: OutputParserOptions): ReasoningStage | undefined {
  if (options.reasoningParser === 'none') return undefined;
  const tags = reasoningTags[options.reasoningParser];
  return createReasoningStage({ ...tags, startsInside: options.startsInReasoning ?? tags.startsInside });
}

function selectToolStage(options: OutputParserOptions): OutputParser {
  const maxArgumentLength = options.maxArgumentLength ?? 1_048_576;
  const format = options.tools.length === 0 ? undefined : selectFormat(options, maxArgumentLength);
  if (format === undefined) return createTextStage();
  return createToolStage(format, {
    toolNames: new Set(options.tools.map((tool) => tool.name)),
    newCallId: options.newCallId,
    streamsCalls: options.callDelivery === 'streamed',
    maxCalls: options.maxCalls ?? 128,
    maxArgumentLength,
  });
}

function selectFormat(options: OutputParserOptions, maxArgumentLength: number): ToolFormat | undefined {
  switch (options.toolParser) {
    case 'none':
      return undefined;
    case 'hermes':
      return hermesFormat;
    case 'qwen3-coder':
      return qwen3CoderFormat(options.tools, maxArgumentLength);
    case 'llama3-json':
      return llama3JsonFormat;
    case 'mistral':
      return mistralFormat;
    case 'deepseek':
      return deepseekFormat;
  }
}

function createTextStage(): OutputParser {
  const toEvents = (text: string): readonly OutputEvent[] => (text === '' ? [] : [{ kind: 'text', text }]);
  return { push: toEvents, end: () => [] };
}
