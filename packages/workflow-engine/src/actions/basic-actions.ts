import type { ActionExecutor } from './call/action-executor';

export const noop: ActionExecutor<'noop'> = () => Promise.resolve(undefined);

export const logWrite: ActionExecutor<'log.write'> = ({ settings, log }) => {
  log.line(settings.message);
  return Promise.resolve(undefined);
};
