import { AppError, isAppError } from '@weir/errors';
import { createCloud } from './cloud/create-cloud';
import type { Cloud } from './cloud/cloud';
import { createTransport } from './cloud/transport';
import { createUserAgent } from './cloud/user-agent';
import { assertWorkspace } from './credentials-file';
import { handOut } from './hand-out';
import { readSettings } from './inputs/read-settings';
import { issueTokens } from './issue-tokens';
import { assertExpected, describeFailure, settingsNotes } from './report';
import type { Settings } from './settings';
import type { Workflow } from './workflow';

/** What a specification makes for itself. */
export interface RunTools {
  readonly version: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
  /** 0 to below 1. */
  readonly random: () => number;
  readonly randomBytes: (bytes: number) => Uint8Array;
}

/**
 * The main phase: read and check everything, prove who the job is, and only then write, export and hand out. Whatever
 * fails before that leaves nothing behind. Rejects with an `AppError` whose message is meant for people.
 */
export async function run(workflow: Workflow, tools: RunTools): Promise<void> {
  const userAgent = createUserAgent(tools.version, workflow.env);
  let settings: Settings | undefined;
  let cloud: Cloud | undefined;
  try {
    settings = readSettings(workflow);
    assertExpected(settings);
    if (settings.file.create) assertWorkspace(workflow.env.GITHUB_WORKSPACE);
    for (const { level, text } of settingsNotes(settings)) workflow[level](text);
    cloud = openCloud({ settings, workflow, userAgent }, tools);
    const issued = await issueTokens({ settings, cloud, hide: (secret) => workflow.hide(secret), now: tools.now });
    const { oidcToken } = cloud;
    await handOut({ workflow, settings, issued, oidcToken, userAgent, randomBytes: tools.randomBytes });
  } catch (error) {
    if (!isAppError(error)) throw error;
    const text = describeFailure(error, { env: workflow.env, settings, oidcToken: cloud?.oidcToken });
    throw new AppError(error.code, text, { reason: error.reason ?? 'unknown', cause: error });
  }
}

interface CloudParts {
  readonly settings: Settings;
  readonly workflow: Workflow;
  readonly userAgent: string;
}

function openCloud({ settings, workflow, userAgent }: CloudParts, { now, sleep, random }: RunTools): Cloud {
  const { endpoints, requestReason, deadlineSeconds } = settings;
  const transport = createTransport({
    userAgent,
    requestReason,
    deadline: now() + deadlineSeconds * 1000,
    now,
    sleep,
    random,
    debug: (text) => workflow.debug(text),
  });
  return createCloud({ workflow, endpoints, transport, now });
}
