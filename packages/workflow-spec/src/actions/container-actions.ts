import { containerSettings, withOneName } from '../execution/container';
import { transformShape } from '../shapes/shape';
import { defineAction, type ActionSpec } from './define-action';

const dockerRun = defineAction('docker.run', {
  description: 'Runs a command in a container',
  ...containerSettings,
});

/** Commands in containers. */
export const containerActions: readonly ActionSpec[] = [
  { ...dockerRun, with: transformShape(dockerRun.with, withOneName) },
];
