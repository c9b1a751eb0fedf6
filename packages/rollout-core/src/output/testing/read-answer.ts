import type { Message, ToolDefinition } from '../../conversation/message';
import { collectOutput } from '../collect-output';
import type { OutputEvent } from '../output-event';
import { createOutputParser, type OutputParserOptions } from '../output-parser';

const tools: readonly ToolDefinition[] = [
  {
    name: 'weather',
    parameters: {
      type: 'object',
      properties: {
        city: { type: 'string' },
        days: { type: 'integer' },
        scale: { type: 'number' },
        hourly: { type: 'boolean' },
        tags: { type: 'array', items: { type: 'string' } },
        near: {
          type: ['object', 'null'],
          properties: {
            x: { type: 'integer' },
            y: { type: ['boolean', 'null'] },
            z: { type: 'string' },
            path: { type: 'array', items: { $ref: '#/$defs/point' } },
          },
        },
      },
      $defs: { point: { type: 'object', properties: { at: { type: 'array', items: { type: 'number' } } } } },
    },
  },
  { name: 'clock' },
];

export type Given = Partial<OutputParserOptions>;

/** Parses the pieces with tools `weather` and `clock`, as those of Hermes if nothing else is given. */
export function parse(pieces: readonly string[], given: Given): readonly OutputEvent[] {
  let calls = 0;
  const parser = createOutputParser({
    toolParser: 'hermes',
    reasoningParser: 'none',
    tools,
    newCallId: () => `id${calls++}`,
    ...given,
  });
  return [...pieces.flatMap((piece) => parser.push(piece)), ...parser.end()];
}

export function read(text: string, given: Given = {}): Message {
  return collectOutput(parse([text], given));
}

/** Names and arguments. */
export function listCalls(message: Message): readonly (readonly [string, string])[] {
  return message.toolCalls?.map((call) => [call.name, call.arguments] as const) ?? [];
}
