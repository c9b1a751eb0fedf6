import { readArguments } from '../call-text/call-object';
import { isSpace } from '../call-text/space';
import { passThrough, peek, readChoice, readJson, skipSpace } from '../call-text/text-source';
import type { Reader, TextSource } from '../call-text/text-source';
import { eachTool, type CallRules } from '../grammar/call-rules';
import { terminal } from '../grammar/grammar-rules';
import { defineFamily, type AnswerSink } from './model-family';

const start = '<|start|>';
const channel = '<|channel|>';
const constrain = '<|constrain|>';
const message = '<|message|>';
const ends = ['<|end|>', '<|call|>', '<|return|>'] as const;
const markers = [start, channel, constrain, message, ...ends];

const author = `${start}assistant`;
const recipient = ' to=';
const headerOpeners = [author, channel, recipient] as const;
const functionPrefix = 'functions.';
const maxRunLength = 256;
const openAngle = 0x3c;

const isUsedBy = (chatTemplate: string): boolean => chatTemplate.includes(channel) && chatTemplate.includes(message);

/**
 * An answer is several messages, each `<|channel|>CHANNEL<|message|>…<|end|>` and, except for the first one, after
 * `<|start|>assistant`: thoughts in the channel `analysis`, the answer in `final`, text beside calls in `commentary`. A
 * message with a recipient, ` to=functions.NAME` before or after the channel, is a call with JSON as its text. The model
 * stops with `<|call|>` or `<|return|>`; templates write `<|end|>` instead of the latter where the conversation goes on.
 * Source: the Harmony response format (openai/harmony, docs/format.md) and the chat template of gpt-oss.
 */
export const gptOss = defineFamily({
  name: 'gpt-oss',
  models: 'gpt-oss',
  roleMarks: [start, channel, message],
  closers: ['<|return|>', '<|call|>', '<|end|>'],
  endTokens: ['<|return|>', '<|call|>'],
  reasoning: {
    name: 'harmony',
    aliases: ['openai_gptoss', 'gpt-oss'],
    isUsedBy,
    markers,
    open: `${channel}analysis${message}`,
    // With the beginning of the next message, so that the text without the thought is one that templates render.
    close: `<|end|>${author}`,
    startsInside: false,
    readAnswer,
  },
  tools: {
    name: 'harmony',
    aliases: ['openai', 'gpt-oss'],
    isUsedBy,
    markers,
    createReader: () => ({
      openers: headerOpeners,
      bareOpeners: '',
      *readCalls(source, sink, opener) {
        const { functionName } = yield* readHeader(source, opener);
        if (functionName === undefined || !sink.start(functionName)) return 'bad';
        yield* skipSpace(source);
        const body = yield* readArguments(source, sink);
        if (body !== 'ok') return body;
        yield* skipSpace(source);
        // The model's end tokens have no text, and the limit may have cut it off.
        if ((yield* peek(source)) >= 0 && (yield* readChoice(source, ends)).index < 0) return 'bad';
        sink.end();
        return 'ok';
      },
    }),
    createGrammar,
  },
});

/** The model stops after a call, so an answer never has a second one. */
function createGrammar(calls: CallRules): string {
  const call = eachTool(calls, (tool, parameters) => {
    const header = `${channel}commentary to=${functionPrefix}${tool.name} ${constrain}json${message}`;
    return `${terminal(header)} ${parameters}`;
  });
  return calls.rules.text(call);
}

type Place = 'outside' | 'thought' | 'answer';

const nextMarks: Readonly<Record<Place, readonly string[]>> = {
  outside: [author, channel],
  thought: [author, channel, ...ends],
  // An answer may mention channels.
  answer: [author, ...ends],
};

/** Takes the messages apart. Those to a tool are passed on as they are, and so is everything that is no message. */
function* readAnswer(source: TextSource, sink: AnswerSink): Reader<void> {
  const first = yield* readChoice(source, headerOpeners);
  let place: Place = 'outside';
  let mark = first.read;
  if (first.index < 0) {
    sink.rest(mark);
    mark = '';
  }
  const shown = new Set<Place>();
  for (;;) {
    if (mark !== '') place = yield* readMessageStart(source, sink, mark);
    const marks: readonly string[] = nextMarks[place];
    const emit: (text: string) => void =
      place === 'thought' ? (text) => sink.reasoning(text) : (text) => sink.rest(text);
    // Several thoughts become one text, and so do several answers.
    if (place !== 'outside' && shown.has(place)) emit('\n');
    shown.add(place);
    const found = yield* passThrough(source, marks, emit);
    if (found < 0) return;
    mark = marks[found] ?? '';
    if (ends.some((end) => end === mark)) {
      mark = '';
      place = 'outside';
    }
  }
}

function* readMessageStart(source: TextSource, sink: AnswerSink, opener: string): Reader<Place> {
  const { text, channelName, hasRecipient, functionName } = yield* readHeader(source, opener);
  if (channelName !== undefined && !hasRecipient) return channelName === 'analysis' ? 'thought' : 'answer';
  sink.rest(text);
  // Strings in the arguments may contain the marks of messages.
  if (functionName !== undefined && (yield* peek(source)) === 0x7b) {
    yield* readJson(source, Number.MAX_SAFE_INTEGER, (json) => sink.rest(json));
  }
  return 'outside';
}

interface Header {
  /** The opener and everything that was consumed. */
  readonly text: string;
  /** `undefined` where this is no header. */
  readonly channelName?: string;
  readonly hasRecipient?: boolean;
  readonly functionName?: string | undefined;
}

/** Reads after an opener through `<|message|>`. Consumes no mark that it does not use. */
function* readHeader(source: TextSource, opener: string): Reader<Header> {
  let text = opener;
  let mark = opener;
  const expect = function* (...choices: readonly string[]): Reader<boolean> {
    const { index, read } = yield* readChoice(source, choices);
    text += read;
    mark = read;
    return index >= 0;
  };
  const readRun = function* (isEnd: (code: number) => boolean): Reader<string> {
    const from = text.length;
    for (;;) {
      const code = yield* peek(source);
      if (code < 0 || isEnd(code) || text.length - from >= maxRunLength) return text.slice(from);
      text += source.text.charAt(source.at);
      source.at++;
    }
  };
  let to: string | undefined;
  if (mark === author && !(yield* expect(recipient, channel))) return { text };
  if (mark === recipient) {
    to = yield* readRun((code) => code === openAngle || isSpace(code));
    if (!(yield* expect(channel))) return { text };
  }
  const [channelName = '', ...words] = (yield* readRun((code) => code === openAngle)).split(' ');
  if (!(yield* expect(message, constrain))) return { text };
  if (mark === constrain) {
    yield* readRun((code) => code === openAngle);
    if (!(yield* expect(message))) return { text };
  }
  to ??= words.find((word) => word.startsWith('to='))?.slice('to='.length);
  if (to === undefined) return { text, channelName, hasRecipient: false };
  const functionName = to.startsWith(functionPrefix) ? to.slice(functionPrefix.length) : to;
  return { text, channelName, hasRecipient: true, functionName };
}
