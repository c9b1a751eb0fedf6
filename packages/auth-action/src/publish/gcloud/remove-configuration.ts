import { unlinkSync } from 'node:fs';
import path from 'node:path';
import { findOwner } from './configuration';
import { describeError } from '../../runner/describe-error';
import type { GcloudState } from '../../runner/state';

/** Post removes no file with another name. */
const configurationName = /^config_[a-z][a-z0-9-]{0,30}$/;

/** Removes the configuration of gcloud that main wrote. Returns a warning on failure. */
export function removeConfiguration({ configuration: file }: GcloudState): string | undefined {
  try {
    const owner = findOwner(file);
    if (owner === 'user' || !configurationName.test(path.basename(file))) throw new Error('it was replaced');
    if (owner === 'action') unlinkSync(file);
    return undefined;
  } catch (error) {
    return `The gcloud configuration ${file} was not removed (${describeError(error)}).`;
  }
}
