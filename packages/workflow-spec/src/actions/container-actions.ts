import { containerSettings, withOneName } from '../placement/container';
import { mapShape } from '../read/shape';
import { defineAction, type ActionSpec } from './define-action';

const dockerRun = defineAction('docker.run', {
  description: 'Runs a command in a container',
  ...containerSettings,
});

/** Commands in containers. */
export const containerActions: readonly ActionSpec[] = [{ ...dockerRun, with: mapShape(dockerRun.with, withOneName) }];
