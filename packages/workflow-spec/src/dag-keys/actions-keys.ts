import { actionsSchema, stepTypesSchema } from '../custom-actions/definition-kind';
import { keySpec } from '../shapes/object-kind';
import { rawShape } from '../shapes/shapes';

export const actionsKeys = {
  actions: keySpec('Actions of its own: name to description, input_schema, template', rawShape(actionsSchema)),
  step_types: keySpec('Old form of actions', rawShape(stepTypesSchema), { replacedBy: 'actions', reportedLater: true }),
} as const;
