import { defineAction } from './define-action';
import { harnessSettings } from './settings/harness-settings';

export const harnessActions = [
  defineAction('harness.run', {
    description: 'Gives a prompt to an external coding agent',
    execution: 'process',
    restart: false,
    dagDefaults: 'harness',
    dagSettings: 'harnesses',
    ...harnessSettings,
  }),
] as const;
