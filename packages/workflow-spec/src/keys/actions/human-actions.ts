import { keySpec } from '../../shapes/object-kind';
import { nonEmptyText } from '../../shapes/shapes';
import { humanForm } from '../../values/forms/human-form';
import { getEntries, getKind, report } from '../../source/yaml/yaml-value';
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
    check: (_, value) => {
      const form = getEntries(value).find(({ key }) => key === 'form')?.value;
      // Its author meant to ask for something, and the task would be completed without it.
      if (form === undefined || getKind(form) !== 'null') return;
      report(form, 'invalid_type', 'form must be a map; leave it out where nothing is asked');
    },
  }),
] as const;
