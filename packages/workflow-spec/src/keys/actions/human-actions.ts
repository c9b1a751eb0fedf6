import { keySpec } from '../../shapes/object-kind';
import { nonEmptyText } from '../../shapes/shapes';
import { humanForm } from '../../values/forms/human-form';
import { defineAction } from './define-action';

export const humanActions = [
  defineAction('human.task', {
    description: 'Waits until a person has completed a form',
    execution: 'composite',
    restart: true,
    keys: {
      prompt: keySpec('Question shown to the person', nonEmptyText, { required: true }),
      form: keySpec('Fields of the form', humanForm),
      rewind_to: keySpec('The step that executes again, with all after it, when the task is pushed back', nonEmptyText),
    },
  }),
] as const;
