import { duration } from '../../shapes/settings/duration-setting';
import { flag, oneOrTexts, whole, word } from '../../shapes/settings/setting-shapes';
import { settingsShape } from '../../shapes/settings/settings-shape';
import { keySpec } from '../../shapes/object-kind';
import { namedShape } from '../../shapes/shape';
import { anyMap, nonEmptyText } from '../../shapes/shapes';
import { shell } from './shell';
import * as shapes from './container-shapes';

const healthcheck = namedShape(
  'Healthcheck',
  settingsShape({
    title: 'healthcheck',
    keys: {
      test: keySpec('The command, or a list that starts with CMD or CMD-SHELL', oneOrTexts('test'), { required: true }),
      interval: keySpec('Interval between checks', duration),
      timeout: keySpec('Timeout of one check', duration),
      start_period: keySpec('Time after the start in which failed checks are ignored', duration),
      retries: keySpec('Consecutive failed checks that make it unhealthy', whole(1, 1_000)),
    },
  }),
);

/** Keys that apply only when a container is created. */
export const creationKeys = {
  pull_policy: keySpec('missing (default), always, never, or fallback to a local image', shapes.pullPolicy, {
    aliases: ['pull'],
  }),
  volumes: keySpec('Volume mounts: source:target', shapes.volumes),
  platform: keySpec('Platform of the image', shapes.platform),
  ports: keySpec('Published ports: host:container', shapes.ports),
  network: keySpec('Name of a network, or settings passed to the engine', shapes.nameOrMap),
  startup: keySpec(
    'What the container does while steps run in it: keepalive (default), entrypoint or command',
    word('keepalive', 'entrypoint', 'command'),
  ),
  wait_for: keySpec('When the container is ready: running (default) or healthy', word('running', 'healthy')),
  log_pattern: keySpec('Regular expression that its log must match before it is ready', shapes.logPattern),
  restart_policy: keySpec('What the engine does when the container ends', shapes.restartPolicy),
  keep_container: keySpec('Whether the container is retained at the end', flag),
  healthcheck: keySpec('Health check', healthcheck),
  auto_remove: keySpec('Whether the engine removes the container when it ends', flag),
  container: keySpec('Container settings passed to the engine unchanged', anyMap),
  host: keySpec('Host settings passed to the engine unchanged', anyMap),
} as const;

export const containerKeys = {
  image: keySpec('Image of a new container', shapes.image),
  exec: keySpec('Name of a running container; as a map, settings of the command executed in it', shapes.nameOrMap),
  name: keySpec('Name of the container', shapes.containerName),
  container_name: keySpec('Name of the container', shapes.containerName),
  env: keySpec('Environment in the container', shapes.containerEnv),
  env_file: keySpec('Files of variables, such as .env; env takes precedence', oneOrTexts('env_file')),
  user: keySpec('User in the container', nonEmptyText),
  working_dir: keySpec('Folder in the container', nonEmptyText),
  command: keySpec('Command, as a string or a list of arguments', shapes.command),
  shell: keySpec('Shell in the container, with its arguments', shell),
  ...creationKeys,
} as const;
