import { logLevels, type Variables } from '@weir/service-kit';
import { z } from 'zod';
import { minAdminKeyLength } from '../features/access';
import { filePath, wholeNumber } from './config-values';

/** Where the server listens, its key, its folder and its log. */
export const serviceVariables = {
  ROLLOUT_HOST: {
    schema: z.string().min(1).default('127.0.0.1'),
    defaultText: '`127.0.0.1`',
    description: 'Address to listen on.',
  },
  ROLLOUT_PORT: {
    schema: wholeNumber(0, 65_535).default(8000),
    defaultText: '`8000`',
    description: 'Port to listen on; 0 takes any free one.',
  },
  ROLLOUT_ADMIN_KEY: {
    schema: z
      .string()
      .regex(/^[\x21-\x7e]*$/, 'must be printable ASCII without spaces')
      .min(minAdminKeyLength, `must have at least ${minAdminKeyLength} characters`)
      .max(512)
      .optional(),
    defaultText: 'generated once on a loopback address and stored in `$ROLLOUT_DATA_DIR/admin_key`',
    description:
      'Key of the trainer, for capacity, session start and export. Required where other machines can reach the server.',
  },
  ROLLOUT_DATA_DIR: {
    schema: filePath.default('~/.weir/rollout'),
    defaultText: '`~/.weir/rollout`',
    description: 'Folder of the session journals and of a generated admin key.',
  },
  ROLLOUT_JOURNAL_SYNC: {
    schema: z.enum(['normal', 'full'], 'must be normal or full').default('normal'),
    defaultText: '`normal`',
    description: '`full` syncs every record to disk before its answer, so that a power failure loses nothing either.',
  },
  ROLLOUT_LOG_LEVEL: {
    schema: z.enum(logLevels).default('info'),
    defaultText: '`info`',
    description: `One of ${logLevels.join(', ')}.`,
  },
  ROLLOUT_LOG_FORMAT: {
    schema: z.enum(['text', 'json'], 'must be text or json').default('text'),
    defaultText: '`text`',
    description: '`json` writes one object per line.',
  },
} as const satisfies Variables;
