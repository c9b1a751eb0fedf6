import type { CallSink } from '../call-text/call-sink';
import { coerceValue } from '../call-text/coerce-value';
import { isSpace } from '../call-text/space';
import { readTaggedValue } from '../call-text/tagged-value';
import { peek, readChoice, readLiteral, readThrough, skipSpace } from '../call-text/text-source';
import type { Choice, Reader, Reading, TextSource } from '../call-text/text-source';
import { isSchema } from '../grammar/schema';
import { schemaChoices, type SchemaChoice } from '../grammar/schema-choices';

const maxNameLength = 256;
const maxDepth = 64;
/** A value that begins with more white space has no elements. */
const maxSpace = 1_024;
const slash = 0x2f;
/** The element of each value of a list. */
export const itemName = 'item';

/** The element that is being read. */
interface Element {
  readonly name: string;
  readonly choices: readonly SchemaChoice[];
  readonly depth: number;
}

/** What came after an element: another one, of which the tag has begun, or the end of the element that has it. */
type Next = 'sibling' | 'end' | 'bad';
const nexts: readonly Next[] = ['sibling', 'end'];

/**
 * Reads the arguments of a call that are elements: one for each argument, with text or further elements in it, of which
 * those of a list are all called `item`. A mark stands before each tag. The schema tells the type of a text; without one
 * it is a string, and elements are a list where the first is called `item`. The result reads after the opening tag of a
 * call, through its closing tag.
 */
export function createElementReader(mark: string, sink: CallSink, parameters: unknown) {
  const tagStart = `${mark}<`;
  const known = new Map<unknown, readonly SchemaChoice[]>();

  // A list may have many values of one schema.
  const choicesOf = (schema: unknown): readonly SchemaChoice[] => {
    const choices = known.get(schema) ?? schemaChoices(schema, parameters);
    known.set(schema, choices);
    return choices;
  };

  /** Reads after the first tag. */
  function* readElements(source: TextSource, element: Element, first: string): Reader<Reading> {
    const isList = isListOf(element, first);
    if (element.depth >= maxDepth || !sink.write(isList ? '[' : '{')) return 'bad';
    const names = new Set<string>();
    let tag: string | undefined = first;
    for (let index = 0; ; index++) {
      if (tag === undefined || tag === '' || tag.startsWith('/')) return 'bad';
      if (isList ? tag !== itemName : names.has(tag)) return 'bad';
      names.add(tag);
      const separator = index === 0 ? '' : ', ';
      if (!sink.write(isList ? separator : `${separator}${JSON.stringify(tag)}: `)) return 'bad';
      const choices = isList ? itemChoices(element, index) : memberChoices(element, tag);
      const next = yield* readValue(source, { name: tag, choices, depth: element.depth + 1 }, element.name);
      if (next === 'bad') return 'bad';
      if (next === 'end') return sink.write(isList ? ']' : '}') ? 'ok' : 'bad';
      tag = yield* readTag(source);
    }
  }

  /** Reads after the opening tag. */
  function* readValue(source: TextSource, element: Element, parent: string): Reader<Next> {
    const begun = mayNest(element) ? yield* readFront(source) : '';
    const readFollower = () => readNext(source, parent);
    if (begun !== undefined) {
      const form = { closer: `${tagStart}/${element.name}>`, readFollower, begun };
      const read = yield* readTaggedValue(source, form, sink.remainingLength());
      return read !== undefined && sink.write(toJson(read.value, element)) ? (nexts[read.follower] ?? 'bad') : 'bad';
    }
    if ((yield* peek(source)) === slash) {
      if ((yield* readLiteral(source, `/${element.name}>`)) !== 'ok' || !sink.write(toJson('', element))) return 'bad';
    } else {
      const first = yield* readTag(source);
      if (first === undefined || (yield* readElements(source, element, first)) !== 'ok') return 'bad';
    }
    yield* skipSpace(source);
    return nexts[(yield* readFollower()).index] ?? 'bad';
  }

  /** `undefined` where a tag comes first, spaces aside; otherwise what was read of the text. */
  function* readFront(source: TextSource): Reader<string | undefined> {
    let space = '';
    while (space.length < maxSpace && isSpace(yield* peek(source))) {
      space += source.text.charAt(source.at);
      source.at++;
    }
    const { index, read } = yield* readChoice(source, [tagStart]);
    return index === 0 ? undefined : space + read;
  }

  function* readNext(source: TextSource, parent: string): Reader<Choice> {
    const start = yield* readChoice(source, [tagStart]);
    if (start.index < 0 || (yield* peek(source)) !== slash) return start;
    const close = yield* readChoice(source, [`/${parent}>`]);
    return { index: close.index < 0 ? -1 : nexts.indexOf('end'), read: start.read + close.read };
  }

  const itemChoices = ({ choices }: Element, index: number): readonly SchemaChoice[] =>
    choices.flatMap(({ items, prefixItems }) => {
      const schemas: readonly unknown[] = Array.isArray(prefixItems) ? prefixItems : [];
      return choicesOf(schemas[index] ?? items);
    });

  const memberChoices = ({ choices }: Element, name: string): readonly SchemaChoice[] =>
    choices.flatMap(({ properties, additionalProperties }) =>
      choicesOf(isSchema(properties) && Object.hasOwn(properties, name) ? properties[name] : additionalProperties),
    );

  return function* readArguments(source: TextSource, call: string): Reader<Reading> {
    yield* skipSpace(source);
    const next = yield* readNext(source, call);
    if (nexts[next.index] === 'end') return sink.write('{}') ? 'ok' : 'bad';
    const first = next.index < 0 ? undefined : yield* readTag(source);
    if (first === undefined) return 'bad';
    const choices = choicesOf({ type: 'object', ...(isSchema(parameters) ? parameters : {}) });
    return yield* readElements(source, { name: call, choices, depth: 0 }, first);
  };
}

/** The rest of a tag. */
function* readTag(source: TextSource): Reader<string | undefined> {
  const { text, end } = yield* readThrough(source, ['>'], maxNameLength);
  return end < 0 ? undefined : text;
}

/** Whether the value may have elements. Otherwise whatever looks like some is text. */
const mayNest = ({ choices }: Element): boolean =>
  choices.length === 0 || choices.some(({ type }) => type === undefined || type === 'array' || type === 'object');

const isListOf = ({ choices, depth }: Element, first: string): boolean =>
  depth > 0 &&
  first === itemName &&
  (choices.some(({ type }) => type === 'array') || !choices.some(({ type }) => type === 'object'));

/** Lists and objects of nothing are elements of nothing, and so is null in a list. */
function toJson(text: string, { choices }: Element): string {
  const types = new Set(choices.map(({ type }) => type));
  if (text.trim() === '' && !types.has('string')) {
    if (types.has('array')) return '[]';
    if (types.has('object')) return '{}';
    if (types.has('null')) return 'null';
  }
  return coerceValue(text, { anyOf: choices });
}
