import { AppError, isAppError } from '@weir/foundation';
import { recordResponses } from '../check/check-recorder';
import { malformedError } from '../cloud/call-errors';
import { createTokenServices } from '../cloud/create-token-services';
import type { TokenServices } from '../cloud/token-services';
import { createTransport } from '../cloud/transport';
import { createUserAgent } from '../cloud/user-agent';
import type { RefreshConfig } from '../publish/clouds/refresh-tokens';
import type { CloudSignIn } from '../clouds/cloud-sign-in';
import { assertFolder, findCredentialsFolder } from '../publish/credentials-file';
import { needsOtherInputs, readSettings } from '../inputs/read-settings';
import type { readOtherInputs } from '../inputs/other-clouds';
import { parseBoolean } from '../inputs/switches';
import { issueTokens, type IssuedTokens, type IssueOptions } from '../cloud/issue-tokens';
import { loadPart } from '../runner/load-part';
import { publishAll } from '../publish/publish-all';
import { publishSummary } from '../runner/publish-summary';
import { assertExpected, listSettingsNotes } from '../report';
import type { FailureContext } from '../report/failure-explanation';
import type { StepSettings } from '../inputs/step-settings';
import type { ActionSettings, Settings } from '../inputs/settings';
import type { ActionsRuntime } from '../runner/actions-runtime';

export interface RunOptions {
  readonly version: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
  /** Returns a number from 0 to below 1. */
  readonly random: () => number;
  readonly randomBytes: (bytes: number) => Uint8Array;
  /** Starts the process that renews the OIDC tokens for other clouds. */
  readonly startRefresher: (config: RefreshConfig) => Promise<void>;
}

/**
 * The main step: validates every input, authenticates to Google Cloud, and only then writes the credentials file and
 * sets variables and outputs, so that an earlier failure leaves nothing behind. Rejects with an `AppError` whose
 * message is written for users.
 */
export async function run(runtime: ActionsRuntime, options: RunOptions): Promise<void> {
  const userAgent = createUserAgent(options.version, runtime.env);
  let action: ActionSettings | undefined;
  let tokenServices: TokenServices | undefined;
  try {
    action = readSettings(runtime, await loadOtherInputs(runtime));
    const { google, endpoints, step } = action;
    if (google !== undefined) checkGoogle(runtime, google);
    const transport = openTransport({ step, runtime, userAgent }, options);
    const { oidcSource } = step;
    tokenServices = createTokenServices({ runtime, endpoints, transport, oidcSource, now: options.now });
    await authenticate({ runtime, options, userAgent, action, transport, tokenServices });
  } catch (error) {
    if (!isAppError(error)) throw error;
    const { google: settings, clouds, step } = action ?? {};
    const context = { env: runtime.env, settings, clouds, oidcToken: tokenServices?.oidcToken };
    const text = await reportFailure(error, {
      context,
      runtime,
      writesSummary: step?.writesSummary ?? wantsSummary(runtime),
    });
    throw new AppError(error.code, text, { reason: error.reason ?? 'unknown', cause: error });
  }
}

interface FailureReport {
  readonly context: FailureContext;
  readonly runtime: ActionsRuntime;
  readonly writesSummary: boolean;
}

/** Returns the text of the annotation. Without a bundle of explanations, the failure itself is still reported. */
async function reportFailure(error: AppError, { context, runtime, writesSummary }: FailureReport): Promise<string> {
  try {
    const { explainFailure, formatFailure, formatFailureSummary } = await loadPart(
      () => import('../report/failure.js'),
    );
    const explanation = await explainFailure(error, context);
    if (writesSummary) publishSummary(runtime, formatFailureSummary(explanation));
    return formatFailure(explanation);
  } catch (missing) {
    const { message } = Object(missing) as { readonly message?: unknown };
    return `${error.message}\n${String(message)}`;
  }
}

async function loadOtherInputs(runtime: ActionsRuntime): Promise<typeof readOtherInputs | undefined> {
  if (!needsOtherInputs(runtime)) return undefined;
  return (await loadPart(() => import('../inputs/other-clouds.js'))).readOtherInputs;
}

/** Everything that can be known before the first request. */
function checkGoogle(runtime: ActionsRuntime, settings: Settings): void {
  assertExpected(settings);
  if (settings.file.create) assertFolder(findCredentialsFolder(settings.file.directory, runtime.env));
  for (const { level, text } of listSettingsNotes(settings)) runtime[level](text);
}

interface Authentication {
  readonly runtime: ActionsRuntime;
  readonly options: RunOptions;
  readonly userAgent: string;
  readonly action: ActionSettings;
  readonly transport: ReturnType<typeof recordResponses>;
  readonly tokenServices: TokenServices;
}

async function authenticate(authentication: Authentication): Promise<void> {
  const { runtime, options, userAgent, action, transport, tokenServices } = authentication;
  const { google, step } = action;
  const { now } = options;
  const mask = (secret: string): void => runtime.mask(secret);
  const issueOptions = google && { settings: google, tokenServices, mask, now };
  if (step.isCheck) {
    const { runCheck, warnOfRename } = await loadPart(() => import('../check/run-check.js'));
    if (issueOptions !== undefined) await runCheck({ ...issueOptions, runtime, record: transport.record });
    await checkClouds(runtime, step, await signIn(authentication));
    warnOfRename(runtime, tokenServices.oidcToken);
    return;
  }
  const issued = issueOptions && (await issueTokens(issueOptions));
  const registryToken = issueOptions && issued && (await requestRegistryToken(issueOptions, issued));
  // The claims of the exchange belong into the summary, not those for another cloud.
  const { oidcToken } = tokenServices;
  const clouds = await signIn(authentication);
  await publishAll({
    ...options,
    runtime,
    step,
    userAgent,
    clouds,
    oidcToken,
    google: google && issued && { settings: google, issued, registryToken },
  });
}

async function requestRegistryToken(options: IssueOptions, issued: IssuedTokens): Promise<string | undefined> {
  const { registries, packages } = options.settings;
  if (registries.length === 0 && packages === undefined) return undefined;
  const { issueRegistryToken } = await loadPart(() => import('../publish/publish-registries.js'));
  return issueRegistryToken(options, issued);
}

async function checkClouds(
  runtime: ActionsRuntime,
  { writesSummary }: StepSettings,
  clouds: readonly CloudSignIn[],
): Promise<void> {
  for (const { cloud, principal } of clouds) runtime.info(`${cloud} accepts ${principal}.`);
  if (!writesSummary || clouds.length === 0) return;
  const { formatCloudSummary } = await loadPart(() => import('../publish/clouds/index.js'));
  publishSummary(runtime, formatCloudSummary(clouds, []));
}

async function signIn({
  runtime,
  options,
  action,
  transport,
  tokenServices,
}: Authentication): Promise<readonly CloudSignIn[]> {
  if (action.clouds.aws === undefined && action.clouds.azure === undefined) return [];
  const { signInToClouds } = await loadPart(() => import('../publish/clouds/index.js'));
  return signInToClouds(action.clouds, {
    requestOidcToken: (audience) => tokenServices.requestOidcToken(audience),
    send: (call) => transport.send(call),
    mask: (secret) => runtime.mask(secret),
    malformed: malformedError,
    now: options.now,
  });
}

/** The summary also explains invalid inputs, unless `step_summary` is certainly false. */
function wantsSummary(runtime: ActionsRuntime): boolean {
  const parsed = parseBoolean(runtime.input('step_summary') ?? '');
  return !parsed.ok || parsed.value;
}

interface TransportContext {
  readonly step: StepSettings;
  readonly runtime: ActionsRuntime;
  readonly userAgent: string;
}

function openTransport(
  { step, runtime, userAgent }: TransportContext,
  { now, sleep, random }: RunOptions,
): ReturnType<typeof recordResponses> {
  const { requestReason, deadlineSeconds } = step;
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
