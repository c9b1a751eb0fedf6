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

/** An exchange with a call, to see what a template makes of it. */
const probe: readonly Message[] = [
  { role: 'user', content: 'weirprobequestion' },
  { role: 'assistant', content: '', toolCalls: [{ id: 'weirprobe', name, arguments: json }] },
];

/** `render` gives `undefined` where the template refuses. Without a form that works the first one is taken. */
export function detectCallForm(render: (messages: readonly Message[], form: CallForm) => string | undefined): CallForm {
  const [usual = { arguments: 'object', emptyContent: 'text' }] = forms;
  return forms.find((form) => isGood(render(probe, form), form)) ?? usual;
}

function isGood(text: string | undefined, form: CallForm): boolean {
  if (text?.includes(name) !== true || !text.includes(value)) return false;
  // An object printed as Python has it is no JSON, and a text put into JSON once more has its quotes escaped.
  return form.arguments === 'object' ? !text.includes(`{'${placeholderArgument}'`) : text.includes(json);
}
