import { readArguments } from '../call-text/call-object';
import type { CallSink } from '../call-text/call-sink';
import { readLiteral, readUntil, skipSpace } from '../call-text/text-source';
import type { Reader, Reading, TextSource } from '../call-text/text-source';
import { eachTool, repeatedCalls, type CallRules } from '../grammar/call-rules';
import { terminal } from '../grammar/grammar-rules';
import { defineFamily, hasThinkTags, thinkTags } from './model-family';
import { createSectionReader } from './section-calls';

const maxIdLength = 256;
const roleMark = '<|im_assistant|>';
const markers = {
  callsBegin: '<|tool_calls_section_begin|>',
  callsEnd: '<|tool_calls_section_end|>',
  callBegin: '<|tool_call_begin|>',
  argumentBegin: '<|tool_call_argument_begin|>',
  callEnd: '<|tool_call_end|>',
} as const;

const idForm = /^(?:functions\.)?(.+?)(?::\d+)?$/;

/**
 * Between the markers of the section each call is `functions.NAME:INDEX`, a marker and the arguments as JSON. That id is
 * kept, because the template names the results by it. The section may begin before the thought was closed. Source: the
 * chat templates of Kimi K2 and K2 Thinking and the guide to tool calls in the repository of the model.
 */
export const kimiK2 = defineFamily({
  name: 'kimi-k2',
  models: 'Kimi K2, K2 Thinking and K2.5',
  roleMarks: [roleMark, '<|im_middle|>'],
  closers: ['<|im_end|>'],
  endTokens: ['<|im_end|>', '[EOS]'],
  reasoning: {
    ...thinkTags,
    name: 'kimi-k2',
    aliases: ['kimi_k2'],
    isUsedBy: (chatTemplate) => hasThinkTags(chatTemplate) && chatTemplate.includes(roleMark),
    markers: [thinkTags.open, thinkTags.close],
    startsInside: false,
    interruptedBy: [markers.callsBegin],
  },
  tools: {
    name: 'kimi-k2',
    aliases: ['kimi_k2'],
    isUsedBy: (chatTemplate) => chatTemplate.includes(markers.callsBegin) || chatTemplate.includes(roleMark),
    markers: Object.values(markers),
    createReader: () => createSectionReader(markers, readCall),
    createGrammar,
  },
});

function* readCall(source: TextSource, sink: CallSink): Reader<Reading> {
  const id = (yield* readUntil(source, (code) => code === 0x3c, maxIdLength))?.trim();
  const name = id === undefined ? undefined : idForm.exec(id)?.[1];
  if (name === undefined || !sink.start(name, id)) return 'bad';
  const begin = yield* readLiteral(source, markers.argumentBegin);
  if (begin !== 'ok') return begin;
  yield* skipSpace(source);
  const body = yield* readArguments(source, sink);
  if (body !== 'ok') return body;
  yield* skipSpace(source);
  if ((yield* readLiteral(source, markers.callEnd)) === 'bad') return 'bad';
  sink.end();
  return 'ok';
}

function createGrammar(calls: CallRules): string {
  const { callsBegin, callsEnd, callBegin, callEnd, argumentBegin } = markers;
  const named = eachTool(
    calls,
    (tool, parameters) => `${terminal(`functions.${tool.name}:`)} [0-9]{1,3} ${terminal(argumentBegin)} ${parameters}`,
  );
  const call = calls.rules.add(`${terminal(callBegin)} ${named} ${terminal(callEnd)}`);
  return calls.rules.text(`${terminal(callsBegin)} ${repeatedCalls(calls, call, '')} ${terminal(callsEnd)}`);
}
