import type { Part } from '../../model/compact';
import type { Step } from '../../model/step';
import { keySpec } from '../../shapes/object-kind';
import type { Fields } from '../../shapes/read-object';
import { nonEmptyText } from '../../shapes/shapes';
import { container } from '../../values/execution/container';
import { workerSelector } from '../../values/execution/worker-selector';
import { env } from '../../values/environment/env';

export const executionKeys = {
  env: keySpec('Environment of the step', env),
  working_dir: keySpec('Working directory of the step', nonEmptyText, { aliases: ['dir'] }),
  container: keySpec('Container of the step: an image, or a map', container),
  worker_selector: keySpec('Labels of the worker that executes the step, or local', workerSelector),
} as const;

export function readExecutionSettings(fields: Fields<typeof executionKeys>): Part<Step> {
  return {
    env: fields.env?.value,
    workingDir: fields.working_dir?.value,
    container: fields.container?.value,
    workerSelector: fields.worker_selector?.value,
  };
}
