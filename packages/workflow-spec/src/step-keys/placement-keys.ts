import type { Part } from '../compact';
import type { Step } from '../canonical/step';
import { keySpec } from '../read/object-kind';
import type { Fields } from '../read/read-object';
import { filledText } from '../read/shapes';
import { container } from '../placement/container';
import { workerSelector } from '../placement/worker-selector';
import { env } from '../values/env';

/** Where the step is carried out, and what it finds there. */
export const placementKeys = {
  env: keySpec('Environment of the step', env),
  working_dir: keySpec('Folder the step runs in', filledText, { aliases: ['dir'] }),
  container: keySpec('A container of its own: an image, or a map', container),
  worker_selector: keySpec('Labels of the worker that carries it out, or local', workerSelector),
} as const;

export function placementOf(fields: Fields<typeof placementKeys>): Part<Step> {
  return {
    env: fields.env?.value,
    workingDir: fields.working_dir?.value,
    container: fields.container?.value,
    workerSelector: fields.worker_selector?.value,
  };
}
