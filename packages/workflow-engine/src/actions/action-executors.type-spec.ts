import type { ActionExecutors } from './call/action-executor';
import { actionExecutors } from './action-executors';

const { noop, ...others } = actionExecutors;

// @ts-expect-error the executor of noop is missing
export const incomplete: ActionExecutors = others;

// @ts-expect-error the run itself executes dag.run
export const surplus: ActionExecutors = { ...actionExecutors, 'dag.run': noop };

// @ts-expect-error an executor is given the settings of its own action, and this one needs a method and an address
export const mixedUp: ActionExecutors['wait.duration'] = actionExecutors['http.request'];
