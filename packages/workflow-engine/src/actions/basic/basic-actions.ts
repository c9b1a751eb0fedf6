import { defineExecutor } from '../define-executor';

export const noop = defineExecutor(() => Promise.resolve(undefined));

export const logWrite = defineExecutor(({ settings, log }) => {
  log.line(settings.required('message'));
  return Promise.resolve(undefined);
});
