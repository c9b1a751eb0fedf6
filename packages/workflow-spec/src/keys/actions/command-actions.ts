import { keySpec } from '../../shapes/object-kind';
import { anyJson, nonEmptyText, text } from '../../shapes/shapes';
import { defineAction } from './define-action';
import { atMostOne, exactlyOne } from '../../shapes/settings/key-choice';
import { duration } from '../../shapes/settings/duration-setting';
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
    references: { code: 'none', script: 'none' },
    keys: {
      code: keySpec('The source of the function', nonEmptyText),
      file: keySpec('File that contains the function', nonEmptyText),
      script: keySpec('The body of the function, which sees its argument as input', nonEmptyText),
      language: keySpec(
        'javascript or typescript; derived from the extension of the file, else javascript',
        word('javascript', 'typescript'),
      ),
      input: keySpec('Argument of the function', anyJson),
      input_file: keySpec('File whose content is the argument of the function', nonEmptyText),
      format: keySpec('How an argument that is text is read: text (default) or json', word('text', 'json')),
      timeout_sec: keySpec('Timeout of the function in seconds; 30 by default', whole(1)),
      timeout: keySpec('Timeout of the function; 30 seconds by default, 60 for a script', duration),
      memory_mb: keySpec('Memory limit of the function in megabytes; 256 by default', whole(8, 65_536)),
    },
    choices: [
      exactlyOne('code', 'file', 'script'),
      atMostOne('input', 'input_file'),
      atMostOne('timeout_sec', 'timeout'),
    ],
  }),
  defineAction('log.write', {
    description: 'Writes a message to the log of the step',
    execution: 'in-process',
    restart: true,
    keys: { message: keySpec('The message', text, { required: true }) },
  }),
  defineAction('noop', { description: 'Does nothing', execution: 'in-process', restart: true, keys: {} }),
] as const;
