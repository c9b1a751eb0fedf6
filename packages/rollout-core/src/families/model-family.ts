import type { ToolDefinition } from '../conversation/message';
import type { CallSink } from '../call-text/call-sink';
import type { CallRules } from '../grammar/call-rules';
import type { Reader, Reading, TextSource } from '../call-text/text-source';

/**
 * The common properties of one kind of models, in one file of this folder. `registry.ts` lists the families; everything
 * that depends on the family, configuration strings included, is derived from that list.
 */
export interface FamilyDefinition {
  readonly name: string;
  /** The models, for people who choose. */
  readonly models: string;
  /**
   * Strings that begin a message of a role. Template and vocabulary must have all of them for the family to be
   * detected.
   */
  readonly roleMarks: readonly string[];
  /** Further strings that only the chat templates of this family contain. Default: none. */
  readonly templateMarks?: readonly string[];
  /** Tokens that end an answer when the model samples them. Any of them closes it, whichever the template writes. */
  readonly closers: readonly string[];
  /** What the models write between an answer without calls and its closer. Default: nothing. */
  readonly answerEnd?: string;
  /** A closer is also the first token of the next message, so it must agree with that message. Default false. */
  readonly closerOpensNextMessage?: boolean;
  /** Tokens that end a generation if a GGUF file names none. Default: none. */
  readonly endTokens?: readonly string[];
  /** Default: reasoning between `<think>` tags, without a parser for this family. */
  readonly reasoning?: ReasoningFormat;
  /** Default: the family has no tool format. */
  readonly tools?: ToolFormat;
}

interface OutputFormat {
  /** The value of the configuration variable. */
  readonly name: string;
  /** Names that other servers give to it. */
  readonly aliases: readonly string[];
  /** Whether models with this chat template write it. Formats are asked in the order of the registry. */
  isUsedBy(chatTemplate: string): boolean;
  /** All strings that the parser looks for and that a vocabulary may have as tokens, also as control tokens. */
  readonly markers: readonly string[];
}

/** How models mark their reasoning. */
export interface ReasoningFormat extends OutputFormat {
  readonly open: string;
  readonly close: string;
  /** The template may have opened the block already, so the answer begins inside it. */
  readonly startsInside: boolean;
  /** An answer without reasoning may begin with `close`. Default false. */
  readonly closesUnopened?: boolean;
  /** Marks that also end the block and belong to what follows it. Default: none. */
  readonly interruptedBy?: readonly string[];
  /**
   * Takes an answer apart that is not one block and the rest. Passes on every character except its own marks. Default:
   * what is between `open` and `close` at the start of the answer is reasoning.
   */
  readAnswer?(source: TextSource, sink: AnswerSink, startsInside: boolean): Reader<void>;
}

/** Receives the parts of an answer while it is read. */
export interface AnswerSink {
  reasoning(text: string): void;
  /** Text and calls, which the tool format reads. */
  rest(text: string): void;
}

/** How models write tool calls. */
export interface ToolFormat extends OutputFormat {
  /** Templates refuse ids of calls that are not exactly so many letters and digits. Default: they take any. */
  readonly callIdLength?: number;
  createReader(options: CallReaderOptions): CallReader;
  /** GBNF of calls only, spaced as the models' templates write them. The reader finds every call in such a string. */
  createGrammar(rules: CallRules): string;
}

export interface CallReaderOptions {
  readonly tools: readonly ToolDefinition[];
  /** Length of one argument in UTF-16 units. */
  readonly maxValueLength: number;
}

export interface CallReader {
  /** Strings that begin a call anywhere. */
  readonly openers: readonly string[];
  /** Characters that begin a call only at the start of the answer or after another call. They are not consumed. */
  readonly bareOpeners: string;
  /**
   * Reads after an opener; `opener` is empty for a bare one. May report several calls. Returns `ok` when everything was
   * read; otherwise what follows the last complete call becomes text.
   */
  readCalls(source: TextSource, sink: CallSink, opener: string): Reader<Reading>;
}

/** Keeps the literal names of a definition, from which the registry derives its types. */
export const defineFamily = <const Definition extends FamilyDefinition>(definition: Definition): Definition =>
  definition;

export const thinkTags = { open: '<think>', close: '</think>' } as const;

export const hasThinkTags = (chatTemplate: string): boolean =>
  chatTemplate.includes(thinkTags.open) || chatTemplate.includes(thinkTags.close);
