import { stat } from 'node:fs/promises';
import type { ActionDependencies, ActionExecutor } from '../action-executor';
import { actionFailed, errorCode } from '../action-errors';
import { actionPath } from '../action-paths';
import { defineExecutor } from '../define-executor';
import { durationMs } from '../duration';
import { timerPause } from '../pause';
import { intervalMs } from './interval';
import { sleepFor, sleepUntil } from './sleep';

const fileIntervalMs = 1_000;

export function createWaitDuration({ pause = timerPause }: Pick<ActionDependencies, 'pause'>): ActionExecutor {
  return defineExecutor(async ({ settings, signal }) => {
    await sleepFor(durationMs(settings, 'duration') ?? 0, pause, signal);
    return undefined;
  });
}

export function createWaitUntil({
  pause = timerPause,
  clock,
}: Pick<ActionDependencies, 'pause' | 'clock'>): ActionExecutor {
  return defineExecutor(async ({ settings, signal }) => {
    const until = Date.parse(settings.required('until'));
    await sleepUntil(() => until - clock.now().getTime(), pause, signal);
    return undefined;
  });
}

export function createWaitFile({ pause = timerPause }: Pick<ActionDependencies, 'pause'>): ActionExecutor {
  return defineExecutor(async ({ call, settings, signal }) => {
    const path = actionPath(call, settings.required('path'));
    const isWanted = settings.text('state') !== 'missing';
    const interval = intervalMs(settings, fileIntervalMs);
    while ((await isThere(path)) !== isWanted) await sleepFor(interval, pause, signal);
    return undefined;
  });
}

async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return false;
    throw actionFailed(`path cannot be looked at (${code ?? 'unknown error'}).`, error);
  }
}
