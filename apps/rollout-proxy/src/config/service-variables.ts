import { logLevels, type Variables } from '@weir/service-kit';
import { z } from 'zod';
import { minAdminKeyLength } from '../features/access';
import { filePath, onOrOff, wholeNumber } from './config-values';
import { priceTable } from './prices';

const keyText = z
  .string()
  .regex(/^[\x21-\x7e]*$/, 'must be printable ASCII without spaces')
  .min(minAdminKeyLength, `must have at least ${minAdminKeyLength} characters`)
  .max(512);

/** The address on which the server listens, its keys, its folder and its log. */
export const serviceVariables = {
  ROLLOUT_HOST: {
    schema: z.string().min(1).default('127.0.0.1'),
    defaultText: '`127.0.0.1`',
    description: 'Address to listen on.',
  },
  ROLLOUT_PORT: {
    schema: wholeNumber(0, 65_535).default(8090),
    defaultText: '`8090`',
    description: 'Port to listen on; 0 takes any free one.',
  },
  ROLLOUT_WORKERS: {
    schema: wholeNumber(1, 64).default(1),
    defaultText: '`1`',
    description:
      'Processes that share the sessions and the work of this address. Above 1 it needs an engine that is not embedded, and Linux or FreeBSD.',
  },
  ROLLOUT_ADMIN_KEY: {
    schema: keyText.optional(),
    defaultText: 'generated once on a loopback address and stored in `$ROLLOUT_DATA_DIR/admin_key`',
    description:
      'Key of the trainer, for capacity, session start and export. Required where other machines can reach the server.',
  },
  ROLLOUT_READ_KEY: {
    schema: keyText.optional(),
    defaultText: 'none',
    description:
      'Key for those who only look: sessions, tokens, previews, metrics. It can change nothing, and differs from the admin key.',
  },
  ROLLOUT_UI: {
    schema: onOrOff('on'),
    defaultText: '`on`',
    description: 'With `off`, the trajectory viewer is not served.',
  },
  ROLLOUT_PRICES: {
    schema: priceTable.default([]),
    defaultText: 'none: no costs',
    description:
      'Prices of a million tokens by the model that agents ask for, as JSON: `{"qwen3-*":{"input":0.2,"cached_input":0.02,"output":0.8}}`. `*` stands for any text; the first name that fits counts; without `cached_input`, cached tokens cost as much as others. The viewer then has costs.',
  },
  ROLLOUT_DATA_DIR: {
    schema: filePath.default('~/.weir/rollout'),
    defaultText: '`~/.weir/rollout`',
    description: 'Folder of the session journals and of a generated admin key.',
  },
  ROLLOUT_DATABASE_URL: {
    schema: z
      .url({ protocol: /^postgres(ql)?$/, error: 'must be an address of PostgreSQL' })
      .max(4096)
      .optional(),
    defaultText: 'none: one process, which needs no database',
    description: 'PostgreSQL database of several replicas of the proxy, which then share sessions and capacity.',
  },
  ROLLOUT_REPLICA_URL: {
    schema: z
      .url({ protocol: /^https?$/, error: 'must be an http or https address' })
      .max(2048)
      .optional(),
    defaultText: 'where it listens',
    description:
      'Address at which the other replicas reach this one, without a path. Required with ROLLOUT_DATABASE_URL where ROLLOUT_HOST is no single address.',
  },
  ROLLOUT_LEASE_SECONDS: {
    schema: wholeNumber(1, 600).default(10),
    defaultText: '`10`',
    description: 'How long a replica may be unheard of until others take over its sessions.',
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
