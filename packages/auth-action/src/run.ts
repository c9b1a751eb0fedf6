import { AppError, isAppError } from '@weir/errors';
import { createTokenServices } from './cloud/create-token-services';
import type { TokenServices } from './cloud/token-services';
import { createTransport } from './cloud/transport';
import { createUserAgent } from './cloud/user-agent';
import { assertFolder, findCredentialsFolder } from './credentials-file';
import { readSettings } from './inputs/read-settings';
import { issueTokens } from './issue-tokens';
import { publishCredentials } from './publish-credentials';
import { assertExpected, describeFailure, listSettingsNotes } from './report';
import type { Settings } from './settings';
import type { ActionsRuntime } from './actions-runtime';

export interface RunOptions {
  readonly version: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
  /** 0 to below 1. */
  readonly random: () => number;
  readonly randomBytes: (bytes: number) => Uint8Array;
}

/**
 * The main step: validates every input, authenticates to Google Cloud, and only then writes the credentials file and
 * sets variables and outputs, so that an earlier failure leaves nothing behind. Rejects with an `AppError` whose
 * message is written for users.
 */
export async function run(runtime: ActionsRuntime, options: RunOptions): Promise<void> {
  const userAgent = createUserAgent(options.version, runtime.env);
  let settings: Settings | undefined;
  let tokenServices: TokenServices | undefined;
  try {
    settings = readSettings(runtime);
    assertExpected(settings);
    if (settings.file.create) assertFolder(findCredentialsFolder(settings.file.directory, runtime.env));
    for (const { level, text } of listSettingsNotes(settings)) runtime[level](text);
    tokenServices = openTokenServices({ settings, runtime, userAgent }, options);
    const issued = await issueTokens({
      settings,
      tokenServices,
      mask: (secret) => runtime.mask(secret),
      now: options.now,
    });
    const { oidcToken } = tokenServices;
    await publishCredentials({ runtime, settings, issued, oidcToken, userAgent, randomBytes: options.randomBytes });
  } catch (error) {
    if (!isAppError(error)) throw error;
    const text = describeFailure(error, { env: runtime.env, settings, oidcToken: tokenServices?.oidcToken });
    throw new AppError(error.code, text, { reason: error.reason ?? 'unknown', cause: error });
  }
}

interface TokenServicesContext {
  readonly settings: Settings;
  readonly runtime: ActionsRuntime;
  readonly userAgent: string;
}

function openTokenServices(
  { settings, runtime, userAgent }: TokenServicesContext,
  { now, sleep, random }: RunOptions,
): TokenServices {
  const { endpoints, requestReason, deadlineSeconds, oidcSource } = settings;
  const transport = createTransport({
    env: runtime.env,
    userAgent,
    requestReason,
    deadline: now() + deadlineSeconds * 1000,
    now,
    sleep,
    random,
    debug: (text) => runtime.debug(text),
  });
  return createTokenServices({ runtime, endpoints, transport, oidcSource, now });
}
