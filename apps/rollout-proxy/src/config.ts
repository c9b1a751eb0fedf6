import path from 'node:path';
import {
  lenientMatching,
  parseReasoningParserName,
  reasoningParserNames,
  reasoningRetentions,
  parseToolParserName,
  toolParserNames,
  type Matching,
  type ReasoningParserName,
  type ReasoningRetention,
  type ToolParserName,
} from '@weir/rollout-core';
import { logLevels, readVariables, Secret, type LogLevel, type Variables } from '@weir/service-kit';
import { z } from 'zod';
import { commaList, matchingPresetsValue, parserName, presetNames, wholeNumber } from './config-values';
import { minAdminKeyLength } from './features/access';

export const engineKinds = ['embedded', 'sglang', 'vllm', 'vllm-generate', 'llama-cpp'] as const;
export type EngineKind = (typeof engineKinds)[number];

const mebibyte = 1024 * 1024;
const file = z.string().min(1).max(4096);
const seconds = wholeNumber(1, 365 * 86_400);

const codeList = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');

/** Every variable the server reads. The table in the README is generated from this. */
export const variables = {
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
  ROLLOUT_ENGINE: {
    schema: z.enum(engineKinds, `must be one of ${engineKinds.join(', ')}`).default('embedded'),
    defaultText: '`embedded`',
    description: `What generates the tokens: one of ${engineKinds.join(', ')}. \`embedded\` is llama.cpp, beside the proxy.`,
  },
  ROLLOUT_ENGINE_URLS: {
    schema: commaList
      .pipe(z.array(z.url({ protocol: /^https?$/, error: 'must be http or https addresses' })))
      .default([]),
    defaultText: 'none',
    description:
      'Addresses of the replicas of the engine, separated by commas. Required unless the engine is embedded.',
  },
  ROLLOUT_ENGINE_API_KEY: {
    schema: z
      .string()
      .regex(/^[\x21-\x7e]{1,4096}$/, 'must be printable ASCII without spaces')
      .optional(),
    defaultText: 'none',
    description: 'Bearer token for the replicas.',
  },
  ROLLOUT_MODEL: {
    schema: file.optional(),
    defaultText: 'the model that the engine serves; for `embedded` a tiny one, generated at the first start',
    description: 'A GGUF file for the embedded engine; otherwise the name under which the engine serves the model.',
  },
  ROLLOUT_EMBEDDED_SEQUENCES: {
    schema: wholeNumber(1, 256).default(4),
    defaultText: '`4`',
    description:
      'Generations that the embedded engine evaluates at the same time. With 1, the same calls in the same order give the same answers bit for bit.',
  },
  ROLLOUT_TOKENIZER: {
    schema: file.optional(),
    defaultText: 'that of the GGUF file',
    description: 'Folder or file of the tokenizer. Required unless the engine is embedded.',
  },
  ROLLOUT_CAPACITY: {
    schema: wholeNumber(1, 1_000_000).default(256),
    defaultText: '`256`',
    description: 'Maximum number of unused grants and unfinished sessions together.',
  },
  ROLLOUT_DATA_DIR: {
    schema: file.default('~/.weir/rollout'),
    defaultText: '`~/.weir/rollout`',
    description: 'Folder of the session journals and of a generated admin key.',
  },
  ROLLOUT_JOURNAL_SYNC: {
    schema: z.enum(['normal', 'full'], 'must be normal or full').default('normal'),
    defaultText: '`normal`',
    description: '`full` syncs every record to disk before its answer, so that a power failure loses nothing either.',
  },
  ROLLOUT_SESSION_IDLE_SECONDS: {
    schema: seconds.default(3600),
    defaultText: '`3600`',
    description: 'An idle session is ended after this time; its interactions can still be exported.',
  },
  ROLLOUT_ENDED_RETENTION_SECONDS: {
    schema: seconds.default(86_400),
    defaultText: '`86400`',
    description: 'How long an ended session is retained for its export.',
  },
  ROLLOUT_EXPORT_RETENTION_SECONDS: {
    schema: seconds.default(3600),
    defaultText: '`3600`',
    description: 'How long an exported session is retained without an acknowledgement.',
  },
  ROLLOUT_END_WAIT_SECONDS: {
    schema: wholeNumber(0, 3600).default(10),
    defaultText: '`10`',
    description: 'How long the end of a session waits for running model calls before it aborts them.',
  },
  ROLLOUT_GRANT_SECONDS: {
    schema: seconds.default(600),
    defaultText: '`600`',
    description: 'How long an unused grant is valid.',
  },
  ROLLOUT_IDEMPOTENCY_SECONDS: {
    schema: seconds.default(86_400),
    defaultText: '`86400`',
    description: 'How long answers under an idempotency key are stored.',
  },
  ROLLOUT_TOOL_PARSER: {
    schema: parserName(parseToolParserName).optional(),
    defaultText: 'detected from the chat template',
    description: `How the model writes tool calls: ${codeList(toolParserNames)}.`,
  },
  ROLLOUT_REASONING_PARSER: {
    schema: parserName(parseReasoningParserName).optional(),
    defaultText: 'detected from the chat template',
    description: `How the model marks its reasoning: ${codeList(reasoningParserNames)}.`,
  },
  ROLLOUT_MATCH: {
    schema: matchingPresetsValue.default(lenientMatching),
    defaultText: 'all',
    description: `Presets of what may differ between an answer and the message that a client sends back: ${presetNames.join(', ')}; or exact for none. Separated by commas.`,
  },
  ROLLOUT_REASONING_RETENTION: {
    schema: z.enum(reasoningRetentions, `must be one of ${reasoningRetentions.join(', ')}`).default('all'),
    defaultText: '`all`',
    description:
      'Reasoning of earlier answers: `all` retains it in the prompt, `tool_cycle` until the next user message, `template` follows the chat template. Where it is not retained, the path forks.',
  },
  ROLLOUT_CONTEXT_TOKENS: {
    schema: wholeNumber(16, 100_000_000).optional(),
    defaultText: 'reported by the engine',
    description: 'Maximum number of tokens of a prompt and its answer together.',
  },
  ROLLOUT_MAX_TURN_TOKENS: {
    schema: wholeNumber(1, 100_000_000).default(8192),
    defaultText: '`8192`',
    description: 'Maximum number of tokens of one completion; also the default for requests without a limit.',
  },
  ROLLOUT_MAX_SESSION_TOKENS: {
    schema: wholeNumber(1, 1_000_000_000).default(10_000_000),
    defaultText: '`10000000`',
    description: 'Maximum number of tokens sampled in one session.',
  },
  ROLLOUT_MAX_BODY_BYTES: {
    schema: wholeNumber(1024, 1024 * mebibyte).default(64 * mebibyte),
    defaultText: '`67108864`',
    description: 'Maximum size of a request body.',
  },
  ROLLOUT_MAX_SESSIONS: {
    schema: wholeNumber(1, 1_000_000).default(10_000),
    defaultText: '`10000`',
    description: 'Maximum number of sessions, including those that wait for an export or an acknowledgement.',
  },
  ROLLOUT_MAX_INTERACTIONS: {
    schema: wholeNumber(1, 1_000_000).default(10_000),
    defaultText: '`10000`',
    description: 'Maximum number of model calls in one session.',
  },
  ROLLOUT_MAX_SESSION_BYTES: {
    schema: wholeNumber(1024, 1024 * 1024 * mebibyte).default(256 * mebibyte),
    defaultText: '`268435456`',
    description: 'Maximum size of one session in memory.',
  },
  ROLLOUT_MAX_BYTES: {
    schema: wholeNumber(1024, 1024 * 1024 * mebibyte).default(2048 * mebibyte),
    defaultText: '`2147483648`',
    description: 'Maximum size of all sessions in memory together.',
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

/** Bounds of what sessions may take. */
export interface Limits {
  readonly bodyBytes: number;
  readonly sessions: number;
  readonly sessionInteractions: number;
  readonly sessionBytes: number;
  readonly bytes: number;
  readonly completionTokens: number;
  readonly sessionTokens: number;
  /** Default: what the engine reports. */
  readonly contextTokens: number | undefined;
}

export interface EngineConfig {
  readonly kind: EngineKind;
  readonly urls: readonly string[];
  /** A file for `embedded`, absolute; else a name. */
  readonly model: string | undefined;
  /** Generations that `embedded` evaluates at the same time. */
  readonly embeddedSequences: number;
  /** A folder or file, absolute. */
  readonly tokenizer: string | undefined;
  /** `undefined`: chosen by the chat template. */
  readonly toolParser: ToolParserName | undefined;
  readonly reasoningParser: ReasoningParserName | undefined;
  readonly reasoningRetention: ReasoningRetention;
  /** Bearer token for a remote engine. */
  readonly apiKey: Secret | undefined;
}

export interface Config {
  readonly host: string;
  readonly port: number;
  readonly adminKey: Secret | undefined;
  readonly dataFolder: string;
  readonly journalSync: boolean;
  readonly capacity: number;
  readonly grantMs: number;
  readonly idempotencyMs: number;
  readonly sessions: {
    readonly idleMs: number;
    readonly endedMs: number;
    readonly exportedMs: number;
    readonly endWaitMs: number;
  };
  readonly engine: EngineConfig;
  /** What may differ between an answer and the message that a client sends back. */
  readonly matching: Matching;
  readonly limits: Limits;
  readonly log: { readonly level: LogLevel; readonly format: 'text' | 'json' };
}

export interface HostEnvironment {
  /** Home folder of the user the process runs as. */
  readonly userHome: string;
  /** Base of relative paths. */
  readonly workingDirectory: string;
}

/** Throws one `invalid_request` that names every invalid variable. */
export function loadConfig(env: Readonly<Record<string, string | undefined>>, host: HostEnvironment): Config {
  const values = readVariables(variables, env);
  const absolute = (text: string): string =>
    path.resolve(host.workingDirectory, text.replace(/^~(?=\/|$)/, host.userHome));
  return Object.freeze({
    host: values.ROLLOUT_HOST,
    port: values.ROLLOUT_PORT,
    adminKey: values.ROLLOUT_ADMIN_KEY === undefined ? undefined : new Secret(values.ROLLOUT_ADMIN_KEY),
    dataFolder: absolute(values.ROLLOUT_DATA_DIR),
    journalSync: values.ROLLOUT_JOURNAL_SYNC === 'full',
    capacity: values.ROLLOUT_CAPACITY,
    grantMs: values.ROLLOUT_GRANT_SECONDS * 1000,
    idempotencyMs: values.ROLLOUT_IDEMPOTENCY_SECONDS * 1000,
    sessions: {
      idleMs: values.ROLLOUT_SESSION_IDLE_SECONDS * 1000,
      endedMs: values.ROLLOUT_ENDED_RETENTION_SECONDS * 1000,
      exportedMs: values.ROLLOUT_EXPORT_RETENTION_SECONDS * 1000,
      endWaitMs: values.ROLLOUT_END_WAIT_SECONDS * 1000,
    },
    engine: engineConfig(values, absolute),
    matching: values.ROLLOUT_MATCH,
    limits: {
      bodyBytes: values.ROLLOUT_MAX_BODY_BYTES,
      sessions: values.ROLLOUT_MAX_SESSIONS,
      sessionInteractions: values.ROLLOUT_MAX_INTERACTIONS,
      sessionBytes: values.ROLLOUT_MAX_SESSION_BYTES,
      bytes: values.ROLLOUT_MAX_BYTES,
      completionTokens: values.ROLLOUT_MAX_TURN_TOKENS,
      sessionTokens: values.ROLLOUT_MAX_SESSION_TOKENS,
      contextTokens: values.ROLLOUT_CONTEXT_TOKENS,
    },
    log: { level: values.ROLLOUT_LOG_LEVEL, format: values.ROLLOUT_LOG_FORMAT },
  });
}

function engineConfig(
  values: ReturnType<typeof readVariables<typeof variables>>,
  absolute: (text: string) => string,
): EngineConfig {
  const { ROLLOUT_ENGINE: kind, ROLLOUT_MODEL: model, ROLLOUT_TOKENIZER: tokenizer } = values;
  return {
    kind,
    urls: values.ROLLOUT_ENGINE_URLS,
    model: model !== undefined && kind === 'embedded' ? absolute(model) : model,
    embeddedSequences: values.ROLLOUT_EMBEDDED_SEQUENCES,
    tokenizer: tokenizer === undefined ? undefined : absolute(tokenizer),
    toolParser: values.ROLLOUT_TOOL_PARSER,
    reasoningParser: values.ROLLOUT_REASONING_PARSER,
    reasoningRetention: values.ROLLOUT_REASONING_RETENTION,
    apiKey: values.ROLLOUT_ENGINE_API_KEY === undefined ? undefined : new Secret(values.ROLLOUT_ENGINE_API_KEY),
  };
}
