import { keySpec } from '../read/object-kind';
import { filledText, textOrList } from '../read/shapes';
import { defineAction, type ActionSpec } from './define-action';
import { exactlyOne } from './key-choice';
import { sshKeys } from './ssh-settings';

/** Commands on other hosts. */
export const sshActions: readonly ActionSpec[] = [
  defineAction('ssh.run', {
    description: 'Runs commands or a script on another host',
    keys: {
      ...sshKeys,
      command: keySpec('A command, or commands one after another', textOrList),
      script: keySpec('A script of several lines', filledText),
    },
    choices: [exactlyOne('command', 'script')],
  }),
];
