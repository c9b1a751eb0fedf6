import { actionsSchema, stepTypesSchema } from '../custom-actions/definition-kind';
import { keySpec } from '../read/object-kind';
import { unread } from '../read/shapes';

/** Actions that a document makes for its own steps. */
export const actionsKeys = {
  actions: keySpec('Actions of its own: name to description, input_schema, template', unread(actionsSchema)),
  step_types: keySpec('Old form of actions', unread(stepTypesSchema), { replacedBy: 'actions', saidLater: true }),
} as const;
