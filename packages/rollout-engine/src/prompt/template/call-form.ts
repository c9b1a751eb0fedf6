import { placeholderArgument, type Message } from '@weir/rollout-core';
import type { CallForm } from './conversation-values';

const forms: readonly CallForm[] = [
  { arguments: 'object', emptyContent: 'text' },
  { arguments: 'text', emptyContent: 'text' },
  { arguments: 'object', emptyContent: 'none' },
  { arguments: 'text', emptyContent: 'none' },
];

const name = 'weirprobetool';
const value = 'weirprobevalue';
const json = JSON.stringify({ [placeholderArgument]: value });

/** An exchange with a call, to see how a template renders it. */
const probe: readonly Message[] = [
  { role: 'user', content: 'weirprobequestion' },
  { role: 'assistant', content: '', toolCalls: [{ id: 'weirprobe', name, arguments: json }] },
];

/**
 * `render` returns `undefined` where the template rejects the messages. Without a working form the first one is used.
 */
export function detectCallForm(render: (messages: readonly Message[], form: CallForm) => string | undefined): CallForm {
  const [usual = { arguments: 'object', emptyContent: 'text' }] = forms;
  return forms.find((form) => isGood(render(probe, form), form)) ?? usual;
}

function isGood(text: string | undefined, form: CallForm): boolean {
  if (text?.includes(name) !== true || !text.includes(value)) return false;
  // An object printed by Python is not JSON, and a string encoded as JSON twice has escaped quotes.
  return form.arguments === 'object' ? !text.includes(`{'${placeholderArgument}'`) : text.includes(json);
}
