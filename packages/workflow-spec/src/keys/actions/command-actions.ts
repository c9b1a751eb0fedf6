import { keySpec } from '../../shapes/object-kind';
import { anyJson, nonEmptyText, text } from '../../shapes/shapes';
import { defineAction } from './define-action';
import { exactlyOne } from '../../shapes/settings/key-choice';
import { texts, whole, word } from '../../shapes/settings/setting-shapes';

export const commandActions = [
  defineAction('exec', {
    description: 'Runs a program without a shell',
    execution: 'process',
    restart: false,
    keys: {
      command: keySpec('The program', nonEmptyText, { required: true }),
      args: keySpec('Its arguments, passed unchanged', texts('args')),
    },
  }),
  defineAction('js.run', {
    description: 'Runs a JavaScript or TypeScript function in a worker thread',
    execution: 'in-process',
    restart: true,
    references: { code: 'none' },
    keys: {
      code: keySpec('The source of the function', nonEmptyText),
      file: keySpec('File that contains the function', nonEmptyText),
      language: keySpec(
        'javascript or typescript; derived from the extension of the file, else javascript',
        word('javascript', 'typescript'),
      ),
      input: keySpec('Argument of the function', anyJson),
      timeout_sec: keySpec('Timeout of the function in seconds; 30 by default', whole(1)),
      memory_mb: keySpec('Memory limit of the function in megabytes; 256 by default', whole(8, 65_536)),
    },
    choices: [exactlyOne('code', 'file')],
  }),
  defineAction('log.write', {
    description: 'Writes a message to the log of the step',
    execution: 'in-process',
    restart: true,
    keys: { message: keySpec('The message', text, { required: true }) },
  }),
  defineAction('noop', { description: 'Does nothing', execution: 'in-process', restart: true, keys: {} }),
] as const;
