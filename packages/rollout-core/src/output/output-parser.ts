import type { ToolDefinition } from '../conversation/message';
import {
  findReasoningFormat,
  findToolFormat,
  type ReasoningParserName,
  type ToolParserName,
} from '../families/registry';
import type { OutputEvent, OutputParser } from './output-event';
import { createReasoningStage, type ReasoningStage } from './reasoning-stage';
import { createToolStage } from './tool-stage';

export interface OutputParserOptions {
  readonly toolParser: ToolParserName;
  readonly reasoningParser: ReasoningParserName;
  /** Without tools, no calls are read. */
  readonly tools: readonly ToolDefinition[];
  readonly newCallId: () => string;
  /** Whether the prompt ended inside the reasoning block. Default: only with `deepseek-r1`. */
  readonly startsInReasoning?: boolean;
  /** Further calls stay text. Default 128. */
  readonly maxCalls?: number;
  /** Length of the arguments of a call in UTF-16 units; a call with longer ones stays text. Default 1,048,576. */
  readonly maxArgumentLength?: number;
}

/**
 * Parses one answer: its reasoning first, then text and calls. A call is reported once it has ended, so an incomplete or
 * malformed one becomes text. The joined events do not depend on how the text is
 * split into pieces, and the work is linear in its length. Never throws for any text of the model.
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
  const format = findReasoningFormat(options.reasoningParser);
  if (format === undefined) return undefined;
  return createReasoningStage(format, options.startsInReasoning ?? format.startsInside);
}

function selectToolStage(options: OutputParserOptions): OutputParser {
  const { tools, maxArgumentLength = 1_048_576 } = options;
  const format = tools.length === 0 ? undefined : findToolFormat(options.toolParser);
  if (format === undefined) return createTextStage();
  return createToolStage(format.createReader({ tools, maxValueLength: maxArgumentLength }), {
    toolNames: new Set(tools.map((tool) => tool.name)),
    newCallId: options.newCallId,
    maxCalls: options.maxCalls ?? 128,
    maxArgumentLength,
  });
}

function createTextStage(): OutputParser {
  const toEvents = (text: string): readonly OutputEvent[] => (text === '' ? [] : [{ kind: 'text', text }]);
  return { push: toEvents, end: () => [] };
}
