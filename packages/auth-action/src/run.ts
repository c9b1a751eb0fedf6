import { AppError, isAppError } from '@weir/errors';
import { recordResponses } from './check/check-recorder';
import { runCheck } from './check/run-check';
import { createTokenServices } from './cloud/create-token-services';
import type { TokenServices } from './cloud/token-services';
import { createTransport } from './cloud/transport';
import { createUserAgent } from './cloud/user-agent';
import { assertFolder, findCredentialsFolder } from './credentials-file';
import { readSettings } from './inputs/read-settings';
import { parseBoolean } from './inputs/switches';
import { issueTokens } from './issue-tokens';
import { publishCredentials } from './publish-credentials';
import { publishSummary } from './publish-summary';
import { assertExpected, describeFailure, explainFailure, formatFailureSummary, listSettingsNotes } from './report';
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
    const transport = openTransport({ settings, runtime, userAgent }, options);
    const { endpoints, oidcSource } = settings;
    tokenServices = createTokenServices({ runtime, endpoints, transport, oidcSource, now: options.now });
    const mask = (secret: string): void => runtime.mask(secret);
    const issueOptions = { settings, tokenServices, mask, now: options.now };
    if (settings.isCheck) {
      await runCheck({ ...issueOptions, runtime, record: transport.record });
      return;
    }
    const issued = await issueTokens(issueOptions);
    const { oidcToken } = tokenServices;
    await publishCredentials({ runtime, settings, issued, oidcToken, userAgent, randomBytes: options.randomBytes });
  } catch (error) {
    if (!isAppError(error)) throw error;
    const context = { env: runtime.env, settings, oidcToken: tokenServices?.oidcToken };
    const text = describeFailure(error, context);
    if (settings?.writesSummary ?? wantsSummary(runtime)) {
      await publishSummary(runtime, formatFailureSummary(explainFailure(error, context)));
    }
    throw new AppError(error.code, text, { reason: error.reason ?? 'unknown', cause: error });
  }
}

/** For invalid inputs: the summary explains them too, unless `step_summary` is certainly false. */
function wantsSummary(runtime: ActionsRuntime): boolean {
  const parsed = parseBoolean(runtime.input('step_summary') ?? '');
  return !parsed.ok || parsed.value;
}

interface TransportContext {
  readonly settings: Settings;
  readonly runtime: ActionsRuntime;
  readonly userAgent: string;
}

function openTransport(
  { settings, runtime, userAgent }: TransportContext,
  { now, sleep, random }: RunOptions,
): ReturnType<typeof recordResponses> {
  const { requestReason, deadlineSeconds } = settings;
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
  return recordResponses(transport, now);
}
