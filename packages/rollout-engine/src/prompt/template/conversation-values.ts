import type { Message, ToolCall, ToolDefinition } from '@weir/rollout-core';
import { parseJsonValue } from './json-value';
import { listValue, noneValue, objectValue, plainValue, textValue, type TemplateValue } from './template-value';

/** The form in which a template expects tool calls; found by `detectCallForm`. */
export interface CallForm {
  /** `object`: parsed arguments. `text`: JSON text as sampled. */
  readonly arguments: 'object' | 'text';
  /** The content of an answer that has only calls: an empty text, or None. */
  readonly emptyContent: 'text' | 'none';
}

/** Messages in the form in which transformers passes them to a template. */
export function messageValues(messages: readonly Message[], form: CallForm): TemplateValue {
  const names = new Map<string, string>();
  return listValue(
    messages.map((message) => {
      for (const { id, name } of message.toolCalls ?? []) names.set(id, name);
      return messageValue(message, form, names);
    }),
  );
}

function messageValue(message: Message, form: CallForm, names: ReadonlyMap<string, string>): TemplateValue {
  const calls = message.toolCalls ?? [];
  const isEmpty = message.content === '' && calls.length > 0 && form.emptyContent === 'none';
  const name = message.name ?? (message.toolCallId === undefined ? undefined : names.get(message.toolCallId));
  const fields = new Map<string, TemplateValue>([
    ['role', textValue(message.role)],
    ['content', isEmpty ? noneValue() : textValue(message.content)],
  ]);
  if (message.reasoning !== undefined) {
    fields.set('reasoning_content', textValue(message.reasoning));
    // The template of gpt-oss has its own name for it, and refuses it beside both content and calls.
    if (message.content === '' || calls.length === 0) fields.set('thinking', textValue(message.reasoning));
  }
  if (calls.length > 0) fields.set('tool_calls', listValue(calls.map((call) => callValue(call, form))));
  if (message.toolCallId !== undefined) fields.set('tool_call_id', textValue(message.toolCallId));
  if (name !== undefined) fields.set('name', textValue(name));
  return objectValue(fields);
}

function callValue({ id, name, arguments: json }: ToolCall, form: CallForm): TemplateValue {
  // A model may write invalid JSON; then the template gets the text as sampled.
  const parsed = form.arguments === 'object' ? parseJsonValue(json) : undefined;
  const call = new Map([
    ['name', textValue(name)],
    ['arguments', parsed ?? textValue(json)],
  ]);
  return objectValue(
    new Map([
      ['id', textValue(id)],
      ['type', textValue('function')],
      ['function', objectValue(call)],
    ]),
  );
}

/** The value is None without tools, as in transformers. */
export function toolValues(tools: readonly ToolDefinition[]): TemplateValue {
  if (tools.length === 0) return noneValue();
  const values = tools.map(({ name, description, parameters, strict }) =>
    plainValue({ type: 'function', function: { name, description, parameters, strict } }),
  );
  return listValue(values);
}
