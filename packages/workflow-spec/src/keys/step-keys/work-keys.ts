import { actionNames } from '../actions/action-catalogue';
import { keySpec } from '../../shapes/object-kind';
import { shape } from '../../shapes/shape';
import { nonEmptyText, rawShape } from '../../shapes/shapes';
import { readRun } from './read-run';
import { foreachSchema } from '../loops/foreach-kind';
import { parallel } from '../loops/parallel';
import { deprecatedWorkKeys, shellUnsupported } from './deprecated-work-keys';

const scalar = ['string', 'number', 'boolean'];
const run = shape(readRun, { anyOf: [{ type: scalar }, { type: 'array', items: { type: scalar }, minItems: 1 }] });
// The names are for completion; a DAG may define its own actions.
const action = shape(nonEmptyText.read, () => ({ anyOf: [{ enum: actionNames() }, { type: scalar, minLength: 1 }] }));

export const workKeys = {
  run: keySpec('A command, a script of several lines, or a list of commands', run),
  action: keySpec('The action to execute instead of a command', action),
  with: keySpec('Settings of the action, or of run: shell, shell_args', rawShape({ type: 'object' })),
  parallel: keySpec('One child run for each item', parallel),
  foreach: keySpec('Steps executed once for each item', rawShape(foreachSchema)),
  ...deprecatedWorkKeys,
} as const;

export const workUnsupported = {
  tools: 'DAGs as tools of a chat step',
  pass_env: 'variables for a sub-DAG; write them as params of the call',
  ...shellUnsupported,
} as const;
