import { dagParams } from '../actions/settings/dag-params';
import { keySpec } from '../../shapes/object-kind';
import type { Shape } from '../../shapes/shape';
import { nonEmptyText, textList, rawShape } from '../../shapes/shapes';
import { executorShape } from './executor';
import { shell } from '../../values/execution/shell';

const scalar = ['string', 'number', 'boolean'];
const textOrMany = { anyOf: [{ type: scalar }, { type: 'array', items: { type: scalar } }] };
const textOrManyOrMap = { anyOf: [...textOrMany.anyOf, { type: 'object' }] };

/**
 * Deprecated ways to specify the work of a step. Their replacement depends on the other keys of the step, so it is
 * reported later.
 */
export const deprecatedWorkKeys = {
  command: deprecatedKey('Deprecated form of run', rawShape(textOrMany), 'run'),
  script: deprecatedKey('Deprecated form of run, for a script', rawShape(textOrMany), 'run'),
  exec: deprecatedKey('Deprecated form of action: exec', rawShape(textOrManyOrMap), 'action'),
  shell: deprecatedKey('Deprecated form of with.shell: the shell of run, with its arguments', shell, 'with'),
  shell_args: deprecatedKey('Deprecated form of with.shell_args', textList, 'with'),
  type: deprecatedKey('Deprecated form of action', nonEmptyText, 'action'),
  config: deprecatedKey('Deprecated form of with', rawShape({ type: 'object' }), 'with'),
  executor: deprecatedKey('Deprecated form of action and with', executorShape, 'action'),
  call: deprecatedKey('Deprecated form of action: dag.run', rawShape({ type: scalar }), 'action'),
  params: deprecatedKey('Deprecated form of with.params of dag.run', rawShape(dagParams.schema), 'with'),
  llm: deprecatedKey('Deprecated form of the settings of chat.completion', rawShape({ type: 'object' }), 'with'),
  messages: deprecatedKey('Deprecated form of with.messages of chat.completion', rawShape({ type: 'array' }), 'with'),
  value: deprecatedKey('Deprecated form of with.value of router.route', rawShape({}), 'with'),
  routes: deprecatedKey('Deprecated form of with.routes of router.route', rawShape({ type: 'object' }), 'with'),
} as const;

/** These keys are unsupported beside `run`, and in its `with`. */
export const shellUnsupported = { shell_packages: 'packages of Nix for the shell' } as const;

function deprecatedKey<T>(description: string, of: Shape<T>, replacedBy: string) {
  return keySpec(description, of, { replacedBy, reportedLater: true });
}
