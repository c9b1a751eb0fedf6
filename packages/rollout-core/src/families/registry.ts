import { AppError } from '@weir/foundation';
import { chatml } from './chatml';
import { deepseek } from './deepseek';
import { deepseekV32 } from './deepseek-v32';
import { deepseekV41 } from './deepseek-v41';
import { gemma3 } from './gemma3';
import { gemma4 } from './gemma4';
import { glm } from './glm';
import { gptOss } from './gpt-oss';
import { kimiK2 } from './kimi-k2';
import { kimiK3 } from './kimi-k3';
import { llama3 } from './llama3';
import { minimax } from './minimax';
import { minimaxM3 } from './minimax-m3';
import { mistral } from './mistral';
import type { FamilyDefinition, ReasoningFormat, ToolFormat } from './model-family';
import { qwen3Coder } from './qwen3-coder';

/** Detection tries them in this order, so the more specific ones come first. */
const definitions = [
  qwen3Coder,
  gptOss,
  kimiK3,
  kimiK2,
  minimaxM3,
  minimax,
  glm,
  mistral,
  deepseekV41,
  deepseekV32,
  deepseek,
  gemma4,
  gemma3,
  chatml,
  llama3,
] as const;

type Definition = (typeof definitions)[number];

export type FamilyName = Definition['name'] | 'generic';

/** `none` reads no calls. */
export type ToolParserName = 'none' | Extract<Definition, { readonly tools: ToolFormat }>['tools']['name'];

/** `none` reads no reasoning. */
export type ReasoningParserName =
  'none' | Extract<Definition, { readonly reasoning: ReasoningFormat }>['reasoning']['name'];

export const modelFamilies: readonly (FamilyDefinition & { readonly name: FamilyName })[] = definitions;

// The types above contain exactly the names of the definitions.
const toolFormats = modelFamilies.flatMap(({ tools }) => tools ?? []) as readonly (ToolFormat & {
  readonly name: ToolParserName;
})[];
const reasoningFormats = modelFamilies
  .flatMap(({ reasoning }) => reasoning ?? [])
  // A format that several families share is asked where the most general of them is.
  .filter((format, at, all) => all.lastIndexOf(format) === at) as readonly (ReasoningFormat & {
  readonly name: ReasoningParserName;
})[];

export const toolParserNames: readonly ToolParserName[] = ['none', ...toolFormats.map(({ name }) => name)];
export const reasoningParserNames: readonly ReasoningParserName[] = [
  'none',
  ...reasoningFormats.map(({ name }) => name),
];

/** Returns `undefined` for `none`. */
export const findToolFormat = (name: ToolParserName): ToolFormat | undefined =>
  toolFormats.find((format) => format.name === name);

/** Returns `undefined` for `none`. */
export const findReasoningFormat = (name: ReasoningParserName): ReasoningFormat | undefined =>
  reasoningFormats.find((format) => format.name === name);

/** Takes a name or an alias. Throws `invalid_request`, reason `tool_parser_unknown`. */
export function parseToolParserName(text: string): ToolParserName {
  const name = findName(text, toolFormats);
  if (name === undefined) throw unknownParser('tool', text, toolParserNames);
  return name;
}

/** Takes a name or an alias. Throws `invalid_request`, reason `reasoning_parser_unknown`. */
export function parseReasoningParserName(text: string): ReasoningParserName {
  const name = findName(text, reasoningFormats);
  if (name === undefined) throw unknownParser('reasoning', text, reasoningParserNames);
  return name;
}

/**
 * Chooses the parser for the calls of models with this chat template; `none` if the template shows no sign of a format.
 */
export const chooseToolParser = (chatTemplate: string): ToolParserName =>
  toolFormats.find((format) => format.isUsedBy(chatTemplate))?.name ?? 'none';

/** The parser of the reasoning that models with this chat template write. */
export const chooseReasoningParser = (chatTemplate: string): ReasoningParserName =>
  reasoningFormats.find((format) => format.isUsedBy(chatTemplate))?.name ?? 'none';

/**
 * The strings that these parsers look for. A vocabulary may have them as control tokens, which have no text otherwise.
 */
export const parserMarkers = (toolParser: ToolParserName, reasoningParser: ReasoningParserName): readonly string[] =>
  [findToolFormat(toolParser), findReasoningFormat(reasoningParser)].flatMap((format) => format?.markers ?? []);

/** Ends a generation of Phi, which is no registered family. In gpt-oss it only ends a message of the answer. */
const phiEndToken = '<|end|>';

/** Names of the tokens of a vocabulary that end a generation, for GGUF files that do not name all of them. */
export function findEndTokens(hasToken: (token: string) => boolean): readonly string[] {
  const known = new Set(modelFamilies.flatMap(({ endTokens = [] }) => endTokens));
  if (!hasToken('<|return|>')) known.add(phiEndToken);
  return [...known].filter(hasToken);
}

function findName<Name extends string>(
  text: string,
  formats: readonly { readonly name: Name; readonly aliases: readonly string[] }[],
): Name | 'none' | undefined {
  if (text === 'none') return text;
  return formats.find(({ name, aliases }) => name === text || aliases.includes(text))?.name;
}

function unknownParser(kind: 'tool' | 'reasoning', name: string, names: readonly string[]): AppError {
  return new AppError('invalid_request', `There is no ${kind} parser "${name}"; there are ${names.join(', ')}.`, {
    reason: `${kind}_parser_unknown`,
  });
}
