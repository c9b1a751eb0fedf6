import { AppError } from '@weir/errors';

/** `none` reads no calls. */
export const toolParserNames = ['none', 'hermes', 'qwen3-coder', 'llama3-json', 'mistral', 'deepseek'] as const;
export type ToolParserName = (typeof toolParserNames)[number];

/** `none` reads no reasoning. */
export const reasoningParserNames = ['none', 'qwen3', 'deepseek-r1', 'mistral-think'] as const;
export type ReasoningParserName = (typeof reasoningParserNames)[number];

const toolParserAliases: Readonly<Record<string, ToolParserName>> = {
  qwen: 'hermes',
  qwen25: 'hermes',
  qwen3: 'hermes',
  qwen3_coder: 'qwen3-coder',
  qwen3_xml: 'qwen3-coder',
  llama3: 'llama3-json',
  llama3_json: 'llama3-json',
  llama4_json: 'llama3-json',
  deepseek_v3: 'deepseek',
  deepseek_v31: 'deepseek',
};

const reasoningParserAliases: Readonly<Record<string, ReasoningParserName>> = {
  deepseek_r1: 'deepseek-r1',
  mistral_think: 'mistral-think',
  mistral: 'mistral-think',
};

// Markers that are special tokens in the vocabularies of these models: decoders leave them out unless told otherwise.
const controlTextTools: ReadonlySet<ToolParserName> = new Set(['llama3-json', 'mistral', 'deepseek']);
const controlTextReasoning: ReadonlySet<ReasoningParserName> = new Set(['mistral-think']);

/** @throws AppError `invalid_request`, reason `tool_parser_unknown`. */
export function parseToolParserName(nameOrAlias: string): ToolParserName {
  const name = lookUp(toolParserNames, toolParserAliases, nameOrAlias);
  if (name === undefined) throw unknownParser('tool', nameOrAlias, toolParserNames);
  return name;
}

/** @throws AppError `invalid_request`, reason `reasoning_parser_unknown`. */
export function parseReasoningParserName(nameOrAlias: string): ReasoningParserName {
  const name = lookUp(reasoningParserNames, reasoningParserAliases, nameOrAlias);
  if (name === undefined) throw unknownParser('reasoning', nameOrAlias, reasoningParserNames);
  return name;
}

/** Whether control tokens must be decoded to their text for these parsers to find their markers. */
export function needsControlText(toolParser: ToolParserName, reasoningParser: ReasoningParserName): boolean {
  return controlTextTools.has(toolParser) || controlTextReasoning.has(reasoningParser);
}

function lookUp<Name extends string>(
  names: readonly Name[],
  aliases: Readonly<Record<string, Name>>,
  nameOrAlias: string,
): Name | undefined {
  return (
    names.find((name) => name === nameOrAlias) ??
    (Object.hasOwn(aliases, nameOrAlias) ? aliases[nameOrAlias] : undefined)
  );
}

function unknownParser(kind: 'tool' | 'reasoning', name: string, names: readonly string[]): AppError {
  return new AppError('invalid_request', `There is no ${kind} parser "${name}"; there are ${names.join(', ')}.`, {
    reason: `${kind}_parser_unknown`,
  });
}
