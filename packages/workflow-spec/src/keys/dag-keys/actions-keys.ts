import { actionLocks } from '../actions/action-lock';
import { actionsSchema, stepTypesSchema } from './definition-kind';
import { keySpec } from '../../shapes/object-kind';
import { rawShape } from '../../shapes/shapes';

export const actionsKeys = {
  action_lock: keySpec('Commits and checksums of packaged actions, which weir lock writes', actionLocks),
  actions: keySpec('Custom actions: from name to description, input_schema and template', rawShape(actionsSchema)),
  step_types: keySpec('Deprecated form of actions', rawShape(stepTypesSchema), {
    replacedBy: 'actions',
    reportedLater: true,
  }),
} as const;
