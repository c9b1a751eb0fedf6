import { containerSettings, withOneName, type ResolvedContainer } from '../../values/execution/container';
import type { Container } from '../../model/container';
import type { JsonObject } from '../../model/json';
import { transformShape } from '../../shapes/shape';
import { defineAction } from './define-action';

const dockerRun = defineAction('docker.run', {
  description: 'Runs a command in a container',
  execution: 'in-process',
  restart: false,
  // Without `shell` the command is a list of words, in which no shell replaces variables.
  references: { command: ({ shell }) => (shell === undefined ? 'field' : 'shell') },
  dagSettings: 'registryAuths',
  ...containerSettings,
});

export const containerActions = [
  { ...dockerRun, with: transformShape<JsonObject, Container, ResolvedContainer>(dockerRun.with, withOneName) },
] as const;
