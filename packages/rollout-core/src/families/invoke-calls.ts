import { createArgumentWriter, parameterSchemas } from '../call-text/argument-writer';
import type { CallSink } from '../call-text/call-sink';
import { isJson } from '../call-text/coerce-value';
import { readTaggedValue } from '../call-text/tagged-value';
import { readChoice, readThrough, skipSpace } from '../call-text/text-source';
import type { Reader, Reading, TextSource } from '../call-text/text-source';
import { repeatedCalls, type CallRules } from '../grammar/call-rules';
import { terminal } from '../grammar/grammar-rules';
import { parametersRule } from '../grammar/xml-call-grammar';
import type { CallReader, CallReaderOptions } from './model-family';

const maxNameLength = 256;

/**
 * Calls in a block of `<invoke name="NAME">` elements with one `<parameter name="KEY">VALUE</parameter>` for each
 * argument.
 */
export interface InvokeForm {
  /** The tags around the calls of an answer; the first pair is the one that grammars write. */
  readonly blocks: readonly { readonly open: string; readonly close: string }[];
  /** What comes before the name of every other tag. */
  readonly tagPrefix: string;
  /** Whether each parameter says with `string="true"` or `"false"` if it is text or JSON. Otherwise the schema says so. */
  readonly marksStrings: boolean;
}

interface InvokeTags {
  readonly invoke: string;
  readonly invokeEnd: string;
  readonly parameter: string;
  readonly parameterEnd: string;
}

const toTags = ({ tagPrefix }: InvokeForm): InvokeTags => ({
  invoke: `<${tagPrefix}invoke name="`,
  invokeEnd: `</${tagPrefix}invoke>`,
  parameter: `<${tagPrefix}parameter name="`,
  parameterEnd: `</${tagPrefix}parameter>`,
});

const textEnd = '" string="true">';
const jsonEnd = '" string="false">';
const plainEnd = '">';

export function createInvokeReader(form: InvokeForm, { tools, maxValueLength }: CallReaderOptions): CallReader {
  const schemas = parameterSchemas(tools);
  const tags = toTags(form);
  const readCall = function* (source: TextSource, sink: CallSink): Reader<Reading> {
    const name = yield* readThrough(source, [plainEnd], maxNameLength);
    if (name.end < 0 || !sink.start(name.text)) return 'bad';
    const writer = createArgumentWriter(sink, schemas.get(name.text));
    const nameEnds = form.marksStrings ? [textEnd, jsonEnd] : [plainEnd];
    const readFollower = () => readChoice(source, [tags.parameter, tags.invokeEnd]);
    yield* skipSpace(source);
    let { index: next } = yield* readFollower();
    while (next === 0) {
      const key = yield* readThrough(source, nameEnds, maxNameLength);
      if (key.end < 0) return 'bad';
      const read = yield* readTaggedValue(source, { closer: tags.parameterEnd, readFollower }, maxValueLength);
      if (read === undefined) return 'bad';
      const { value, follower } = read;
      const isJsonValue = key.end === nameEnds.indexOf(jsonEnd) && isJson(value);
      const json = isJsonValue ? value.trim() : JSON.stringify(value);
      if (!(form.marksStrings ? writer.write(key.text, json) : writer.writePlain(key.text, value))) return 'bad';
      next = follower;
    }
    if (next !== 1 || !writer.end()) return 'bad';
    sink.end();
    return 'ok';
  };
  return {
    openers: form.blocks.map(({ open }) => open),
    bareOpeners: '',
    readCalls(source, sink, opener) {
      const close = form.blocks.find(({ open }) => open === opener)?.close ?? '';
      return readBlock(source, [tags.invoke, close], () => readCall(source, sink));
    },
  };
}

/** Reads calls and the end of their block. `readCall` reads after the text that begins a call. */
export function* readBlock(
  source: TextSource,
  marks: readonly [invoke: string, close: string],
  readCall: () => Reader<Reading>,
): Reader<Reading> {
  for (let calls = 0; ; calls++) {
    yield* skipSpace(source);
    const { index, read } = yield* readChoice(source, marks);
    // A block that is cut off after a call is complete.
    if (index !== 0) return calls > 0 && (index === 1 || read === '') ? 'ok' : 'bad';
    const call = yield* readCall();
    if (call !== 'ok') return call;
  }
}

export function createInvokeGrammar(form: InvokeForm, calls: CallRules): string {
  const { rules, tools } = calls;
  const tags = toTags(form);
  const [block] = form.blocks;
  const parameters = {
    before: (name: string, type: unknown) => `${tags.parameter}${name}${nameEnd(form, type)}`,
    after: `${tags.parameterEnd}\n`,
    ends: [tags.parameterEnd],
  };
  const call = rules.add(
    tools
      .map((tool, index) => {
        const body = parametersRule({ tool, index, rules, form: parameters });
        return `${terminal(`${tags.invoke}${tool.name}">\n`)} ${body} ${terminal(`${tags.invokeEnd}\n`)}`;
      })
      .join(' | '),
  );
  const { open = '', close = '' } = block ?? {};
  return rules.text(`${terminal(`${open}\n`)} ${repeatedCalls(calls, call, '')} ${terminal(close)}`);
}

/** Grammars write JSON for these types, and text for all others. */
const jsonTypes: readonly unknown[] = ['boolean', 'integer', 'number', 'array', 'object'];

function nameEnd({ marksStrings }: InvokeForm, type: unknown): string {
  if (!marksStrings) return plainEnd;
  return jsonTypes.includes(type) ? jsonEnd : textEnd;
}
