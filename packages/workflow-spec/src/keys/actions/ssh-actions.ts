import { keySpec } from '../../shapes/object-kind';
import { nonEmptyText, textOrList } from '../../shapes/shapes';
import { defineAction } from './define-action';
import { exactlyOne } from '../../shapes/settings/key-choice';
import { sshKeys } from './settings/ssh-settings';

export const sshActions = [
  defineAction('ssh.run', {
    description: 'Runs commands or a script on another host',
    execution: 'in-process',
    restart: false,
    references: { command: 'shell', script: 'shell' },
    dagDefaults: 'ssh',
    keys: {
      ...sshKeys,
      command: keySpec('A command, or a list of commands that run one after another', textOrList),
      script: keySpec('A script', nonEmptyText),
    },
    choices: [exactlyOne('command', 'script')],
  }),
] as const;
