import { duration } from '../actions/duration-setting';
import { flag, oneOrTexts, whole, word } from '../actions/setting-shapes';
import { settingsShape } from '../actions/settings-shape';
import { keySpec } from '../shapes/object-kind';
import { namedShape } from '../shapes/shape';
import { anyMap, nonEmptyText } from '../shapes/shapes';
import { shell } from './shell';
import * as shapes from './container-shapes';

const healthcheck = namedShape(
  'Healthcheck',
  settingsShape({
    title: 'healthcheck',
    keys: {
      test: keySpec('The command, or its words after CMD or CMD-SHELL', oneOrTexts('test'), { required: true }),
      interval: keySpec('Time between two checks', duration),
      timeout: keySpec('Time for one check', duration),
      start_period: keySpec('Time in which a failed check does not count', duration),
      retries: keySpec('Failed checks in a row that make it unhealthy', whole(1, 1_000)),
    },
  }),
);

/** Keys that apply only when a container is created. */
export const creationKeys = {
  pull_policy: keySpec('missing (default), always, never, or fallback to what is there', shapes.pullPolicy, {
    aliases: ['pull'],
  }),
  volumes: keySpec('Folders of the host in the container', shapes.volumes),
  platform: keySpec('Platform of the image', shapes.platform),
  ports: keySpec('Ports of the container on the host', shapes.ports),
  network: keySpec("Name of a network, or the engine's own settings", shapes.nameOrMap),
  startup: keySpec(
    'What it does meanwhile: keepalive (default), entrypoint or command',
    word('keepalive', 'entrypoint', 'command'),
  ),
  wait_for: keySpec('When it is ready: running (default) or healthy', word('running', 'healthy')),
  log_pattern: keySpec('Expression that its log must match before it is ready', shapes.logPattern),
  restart_policy: keySpec('What the engine does when it ends', shapes.restartPolicy),
  keep_container: keySpec('Leave it there at the end', flag),
  healthcheck: keySpec('How its health is found out', healthcheck),
  auto_remove: keySpec('The engine removes it when it ends', flag),
  container: keySpec('Settings of the container, handed on as they are', anyMap),
  host: keySpec('Settings of the host, handed on as they are', anyMap),
} as const;

export const containerKeys = {
  image: keySpec('Image of a new container', shapes.image),
  exec: keySpec('Name of a container that runs already; as a map, settings of the command in it', shapes.nameOrMap),
  name: keySpec('Name of the container', shapes.containerName),
  container_name: keySpec('Name of the container', shapes.containerName),
  env: keySpec('Environment in the container', shapes.containerEnv),
  user: keySpec('User in the container', nonEmptyText),
  working_dir: keySpec('Folder in the container', nonEmptyText),
  command: keySpec('Command, or its words', shapes.command),
  shell: keySpec('Shell in the container, with its arguments', shell),
  ...creationKeys,
} as const;
