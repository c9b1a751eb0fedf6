import { stat } from 'node:fs/promises';
import type { ActionExecutor } from '../call/action-executor';
import { actionFailed } from '../../model/steps/action-errors';
import { errorCode } from '../../host/files/error-code';
import { actionPath } from '../../host/files/action-paths';
import { durationMs } from '../../values/text/duration';
import { timerPause } from '../../host/concurrency/pause';
import { pollIntervalMs } from './poll-interval';
import { sleepFor, sleepUntil } from './sleep';

const fileIntervalMs = 1_000;

export const waitDuration: ActionExecutor<'wait.duration'> = async ({ settings, services, signal }) => {
  const { pause = timerPause } = services;
  await sleepFor(durationMs('duration', settings.duration, 0), pause, signal);
  return undefined;
};

export const waitUntil: ActionExecutor<'wait.until'> = async ({ settings, services, signal }) => {
  const { pause = timerPause, clock } = services;
  const until = Date.parse(settings.until);
  await sleepUntil(() => until - clock.now().getTime(), pause, signal);
  return undefined;
};

export const waitFile: ActionExecutor<'wait.file'> = async ({ call, settings, services, signal }) => {
  const { pause = timerPause } = services;
  const path = actionPath(call, settings.path);
  const isWanted = settings.state !== 'missing';
  const intervalMs = pollIntervalMs(settings.poll_interval, fileIntervalMs);
  while ((await isThere(path)) !== isWanted) await sleepFor(intervalMs, pause, signal);
  return undefined;
};

async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return false;
    throw actionFailed(`path cannot be read (${code ?? 'unknown error'}).`, error);
  }
}
