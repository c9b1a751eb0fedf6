import { dagParams } from '../actions/dag-params';
import { keySpec } from '../read/object-kind';
import type { Shape } from '../read/shape';
import { filledText, textList, unread } from '../read/shapes';
import { executorShape } from '../work/old-executor';
import { shell } from '../values/shell';

const scalar = ['string', 'number', 'boolean'];
const textOrMany = { anyOf: [{ type: scalar }, { type: 'array', items: { type: scalar } }] };
const textOrManyOrMap = { anyOf: [...textOrMany.anyOf, { type: 'object' }] };

/** Older ways to say what a step does. What replaces one depends on those beside it, so that is said later. */
export const oldWorkKeys = {
  command: old('Old form of run', unread(textOrMany), 'run'),
  script: old('Old form of run, for a script', unread(textOrMany), 'run'),
  exec: old('Old form of action: exec', unread(textOrManyOrMap), 'action'),
  shell: old('Old form of with.shell: the shell of run, with its arguments', shell, 'with'),
  shell_args: old('Old form of with.shell_args', textList, 'with'),
  shell_packages: old('Old form of with.shell_packages', textList, 'with'),
  type: old('Old form of action', filledText, 'action'),
  config: old('Old form of with', unread({ type: 'object' }), 'with'),
  executor: old('Old form of action and with', executorShape, 'action'),
  call: old('Old form of action: dag.run', unread({ type: scalar }), 'action'),
  params: old('Old form of with.params of dag.run', unread(dagParams.schema), 'with'),
  llm: old('Old form of the settings of chat.completion', unread({ type: 'object' }), 'with'),
  messages: old('Old form of with.messages of chat.completion', unread({ type: 'array' }), 'with'),
  value: old('Old form of with.value of router.route', unread({}), 'with'),
  routes: old('Old form of with.routes of router.route', unread({ type: 'object' }), 'with'),
} as const;

function old<T>(description: string, of: Shape<T>, replacedBy: string) {
  return keySpec(description, of, { replacedBy, saidLater: true });
}
