import type { ActionExecutors } from './action-executor';
import { actionExecutors } from './action-executors';

const { noop, ...others } = actionExecutors;

// @ts-expect-error the executor of noop is missing
export const incomplete: ActionExecutors = others;

// @ts-expect-error the declaration of git.checkout says that this version does not execute it
export const surplus: ActionExecutors = { ...actionExecutors, 'git.checkout': noop };

// @ts-expect-error an executor is given the settings of its own action, and this one needs a method and an address
export const mixedUp: ActionExecutors['wait.duration'] = actionExecutors['http.request'];
