import { isIP } from 'node:net';
import path from 'node:path';
import { logLevels, readVariables, Secret, type LogLevel, type Variables } from '@weir/service-kit';
import { splitShell } from '@weir/workflow-spec';
import { z } from 'zod';
import { QueueLimits } from './features/queue/queue-limits';
import { roles, type Role } from './roles';

const unitSeconds = { s: 1, m: 60, h: 3600, d: 86_400 } as const;
const maxTokenSeconds = 8760 * 3600;

const duration = z
  .string()
  .regex(/^\d{1,8}[smhd]$/, 'must be a number with a unit: 30s, 15m, 24h, 7d')
  .transform((text) => Number(text.slice(0, -1)) * unitSeconds[text.slice(-1) as keyof typeof unitSeconds]);

const flag = z.enum(['true', 'false'], 'must be true or false').transform((text) => text === 'true');
const folder = z.string().max(4096);

/** Names, or beginnings of names, of variables; none of them may let a setting of the server through. */
function variableList(isServers: (entry: string) => boolean) {
  return z
    .string()
    .transform((text) => text.split(',').flatMap((entry) => entry.trim() || []))
    .pipe(
      z.array(
        z
          .string()
          .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'must be comma-separated names of letters, digits and underscores')
          .refine((entry) => !isServers(entry), 'must not let variables that begin with WEIR_ through'),
      ),
    )
    .default([]);
}

/** Every variable the server reads. The README's table is made from this. */
export const variables = {
  WEIR_HOME: {
    schema: folder.optional(),
    defaultText: '`~/.weir`',
    description: 'Folder of all data of the server.',
  },
  WEIR_HOST: {
    schema: z.string().min(1).default('127.0.0.1'),
    defaultText: '`127.0.0.1`',
    description: 'Address to listen on.',
  },
  WEIR_PORT: {
    schema: z
      .string()
      .regex(/^\d{1,5}$/, 'must be a port number')
      .transform(Number)
      .pipe(z.number().max(65_535))
      .default(8080),
    defaultText: '`8080`',
    description: 'Port to listen on; 0 takes any free one.',
  },
  WEIR_BASE_PATH: {
    schema: z
      .string()
      .regex(/^(\/[A-Za-z0-9._~-]+)*\/?$/, 'must be a path such as /weir')
      .default(''),
    defaultText: 'empty',
    description: 'Prefix of every path: with `/weir` the API is below `/weir/api/v1`.',
  },
  WEIR_DAGS_DIR: {
    schema: folder.optional(),
    defaultText: '`$WEIR_HOME/dags`',
    description: 'Folder of the DAG files.',
  },
  WEIR_BASE_CONFIG: {
    schema: folder.min(1).optional(),
    defaultText: '`$WEIR_HOME/base.yaml`',
    description: 'File of the base configuration, from which every DAG inherits. The default file may be missing.',
  },
  WEIR_DATABASE_URL: {
    schema: z
      .string()
      .regex(/^(file:.|postgres(ql)?:\/\/)/, 'must be file: with a path, or begin with postgres:// or postgresql://')
      .optional(),
    defaultText: '`file:$WEIR_HOME/data/weir.db`',
    description: '`file:<path>` for SQLite, `postgres://…` for PostgreSQL.',
  },
  WEIR_SQLITE_SYNCHRONOUS: {
    schema: z.enum(['normal', 'full'], 'must be normal or full').default('normal'),
    defaultText: '`normal`',
    description: '`full` syncs every commit to disk, so that a power failure loses nothing either. Applies to SQLite.',
  },
  WEIR_AUTO_MIGRATE: {
    schema: flag.default(true),
    defaultText: '`true`',
    description: 'With `false`, the server refuses to start if a migration is pending, instead of applying it.',
  },
  WEIR_AUTH_MODE: {
    schema: z.enum(['builtin', 'none'], 'must be builtin or none').default('builtin'),
    defaultText: '`builtin`',
    description: 'With `none`, everyone who can reach the server has all permissions.',
  },
  WEIR_JWT_SECRET: {
    schema: z.string().min(32, 'must have at least 32 characters').optional(),
    defaultText: 'generated once, stored in `$WEIR_HOME/auth`',
    description: 'Key that signs tokens; changing it invalidates all tokens.',
  },
  WEIR_TOKEN_TTL: {
    schema: duration
      .refine((seconds) => seconds >= 1 && seconds <= maxTokenSeconds, 'must be between 1s and 8760h')
      .default(86_400),
    defaultText: '`24h`',
    description: 'How long a token is valid.',
  },
  WEIR_TRUSTED_PROXIES: {
    schema: z
      .string()
      .transform((text) => text.split(',').map((entry) => entry.trim()))
      .pipe(z.array(z.string().refine(isProxyEntry, 'must be a list of addresses, networks, or the word loopback')))
      .default([]),
    defaultText: 'none',
    description:
      'Addresses or networks of reverse proxies whose `X-Forwarded-For` is trusted, separated by commas. Without it, all clients behind a proxy share one limit of failed logins.',
  },
  WEIR_COORDINATOR_URL: {
    schema: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).optional(),
    defaultText: 'none',
    description: 'URL of the coordinator of the distributed workers.',
  },
  WEIR_SKIP_EXAMPLES: {
    schema: flag.default(false),
    defaultText: '`false`',
    description: 'With `true`, a new DAG folder gets no examples.',
  },
  WEIR_TZ: {
    schema: z.string().refine(isTimeZone, 'must be a time zone such as Europe/Berlin').optional(),
    defaultText: 'that of the process',
    description: 'Time zone of schedules that do not specify one.',
  },
  WEIR_ROLES: {
    schema: z
      .string()
      .transform((text) => text.split(',').map((entry) => entry.trim()))
      .pipe(z.array(z.enum(roles, `must be a comma-separated list of ${roles.join(', ')}`)).min(1))
      .default([...roles]),
    defaultText: '`api,scheduler,worker`',
    description:
      'What `start-all` does in this process: serve the API, follow schedules, execute runs. Processes with different roles need a PostgreSQL database.',
  },
  WEIR_QUEUES: {
    schema: QueueLimits.default(new Map()),
    defaultText: 'none',
    description:
      'Queues that DAGs may share, each with its number of slots: `reports=2,etl=4`. Every other queue has one slot.',
  },
  WEIR_DEFAULT_SHELL: {
    schema: z.string().trim().min(1).max(4096).transform(readShell).optional(),
    defaultText: '`$SHELL`, else `sh`',
    description: 'Shell of DAGs and steps that do not specify one, with its arguments: `bash -u`.',
  },
  WEIR_ENV_PASSTHROUGH: {
    schema: variableList((name) => name.startsWith('WEIR_')),
    defaultText: 'none',
    description: "Names of additional variables of the server's environment that steps can read, separated by commas.",
  },
  WEIR_ENV_PASSTHROUGH_PREFIXES: {
    schema: variableList((prefix) => prefix.startsWith('WEIR_') || 'WEIR_'.startsWith(prefix)),
    defaultText: 'none',
    description: 'The same for all variables with these prefixes, such as `AWS_,GIT_`.',
  },
  WEIR_LOG_LEVEL: {
    schema: z.enum(logLevels).default('info'),
    defaultText: '`info`',
    description: `One of ${logLevels.join(', ')}.`,
  },
  WEIR_LOG_FORMAT: {
    schema: z.enum(['text', 'json'], 'must be text or json').default('text'),
    defaultText: '`text`',
    description: '`json` writes one object per line.',
  },
} as const satisfies Variables;

export interface Config {
  readonly home: string;
  /** Of `start-all`; other commands have roles of their own. */
  readonly roles: readonly Role[];
  readonly host: string;
  readonly port: number;
  /** Without a slash at its end; empty for none. */
  readonly basePath: string;
  readonly dags: { readonly folder: string; readonly writeExamples: boolean };
  /** `isRequired` when it was named, so that its absence is a mistake. */
  readonly baseConfig: { readonly file: string; readonly isRequired: boolean };
  /** `undefined`: that of the process. */
  readonly timeZone: string | undefined;
  /** Capacity of the named queues. */
  readonly queues: ReadonlyMap<string, number>;
  readonly steps: {
    /** `undefined`: the user's, else `sh`. */
    readonly defaultShell: readonly string[] | undefined;
    readonly passthrough: { readonly names: readonly string[]; readonly prefixes: readonly string[] };
  };
  readonly logs: { readonly folder: string };
  readonly data: { readonly folder: string };
  readonly database: {
    readonly url: Secret;
    readonly autoMigrate: boolean;
    readonly sqliteSynchronous: 'normal' | 'full';
  };
  readonly auth: {
    readonly mode: 'builtin' | 'none';
    /** `undefined`: stored in a file below the home folder. */
    readonly jwtSecret: Secret | undefined;
    readonly tokenTtlSeconds: number;
  };
  readonly trustedProxies: readonly string[];
  readonly coordinatorUrl: string | undefined;
  readonly log: { readonly level: LogLevel; readonly format: 'text' | 'json' };
}

export interface HostInfo {
  /** Home folder of the user the process runs as. */
  readonly userHome: string;
  /** Folder that relative paths go by. */
  readonly workingDirectory: string;
}

/** Reads the environment. Throws one `invalid_request` that names every variable that is wrong. */
export function loadConfig(env: Readonly<Record<string, string | undefined>>, host: HostInfo): Config {
  const values = readVariables(variables, env);
  const absolute = (text: string): string =>
    path.resolve(host.workingDirectory, text.replace(/^~(?=\/|$)/, host.userHome));
  const home = absolute(values.WEIR_HOME ?? '~/.weir');
  const databaseUrl = values.WEIR_DATABASE_URL ?? `file:${path.join(home, 'data', 'weir.db')}`;
  return Object.freeze({
    home,
    roles: values.WEIR_ROLES,
    host: values.WEIR_HOST,
    port: values.WEIR_PORT,
    basePath: values.WEIR_BASE_PATH.replace(/\/$/, ''),
    dags: {
      folder: absolute(values.WEIR_DAGS_DIR ?? path.join(home, 'dags')),
      writeExamples: !values.WEIR_SKIP_EXAMPLES,
    },
    baseConfig: {
      file: absolute(values.WEIR_BASE_CONFIG ?? path.join(home, 'base.yaml')),
      isRequired: values.WEIR_BASE_CONFIG !== undefined,
    },
    timeZone: values.WEIR_TZ,
    queues: values.WEIR_QUEUES,
    steps: {
      defaultShell: values.WEIR_DEFAULT_SHELL,
      passthrough: { names: values.WEIR_ENV_PASSTHROUGH, prefixes: values.WEIR_ENV_PASSTHROUGH_PREFIXES },
    },
    logs: { folder: path.join(home, 'logs') },
    data: { folder: path.join(home, 'data') },
    database: {
      url: new Secret(absoluteSqliteUrl(databaseUrl, absolute)),
      autoMigrate: values.WEIR_AUTO_MIGRATE,
      sqliteSynchronous: values.WEIR_SQLITE_SYNCHRONOUS,
    },
    auth: {
      mode: values.WEIR_AUTH_MODE,
      jwtSecret: values.WEIR_JWT_SECRET === undefined ? undefined : new Secret(values.WEIR_JWT_SECRET),
      tokenTtlSeconds: values.WEIR_TOKEN_TTL,
    },
    trustedProxies: values.WEIR_TRUSTED_PROXIES,
    coordinatorUrl: values.WEIR_COORDINATOR_URL,
    log: { level: values.WEIR_LOG_LEVEL, format: values.WEIR_LOG_FORMAT },
  });
}

function readShell(text: string, context: z.RefinementCtx): readonly string[] {
  const words = splitShell(text);
  if (words === undefined) context.addIssue({ code: 'custom', message: 'has a quote that is not closed' });
  return words ?? [];
}

function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch {
    // The only way to ask: an unknown zone throws.
    return false;
  }
}

/** What Express takes as a trusted proxy; it would fail on anything else without naming the variable. */
function isProxyEntry(entry: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(entry)) return true;
  const [address = '', bits, ...rest] = entry.split('/');
  const version = address.includes('%') ? 0 : isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}

function absoluteSqliteUrl(url: string, absolute: (text: string) => string): string {
  return url.startsWith('file:') && !url.startsWith('file://') ? `file:${absolute(url.slice('file:'.length))}` : url;
}
