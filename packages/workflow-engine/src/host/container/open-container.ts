import type Docker from 'dockerode';
import { within } from '../concurrency/end-or-stop';
import type { ActionLog } from '../logs/action-log';
import { requireImage, type ContainerSettings, type NewContainerSettings } from './container-settings';
import { awaitReady } from './await-ready';
import { bringImage, type ImageOptions } from './bring-image';
import { connectEngine } from './connect-engine';
import { containerOptions, type ContainerContext, type MainProcess } from './container-options';
import { withDeadline } from './with-deadline';
import { engineFailed, isConflict, isNotThere } from './engine-errors';

/** A container in which commands can be executed. */
export interface OpenContainer {
  readonly docker: Docker;
  readonly container: Docker.Container;
  readonly settings: ContainerSettings;
  /** Removes a container that was created here, unless it is retained. Never rejects; resolves to whether it succeeded. */
  close(): Promise<boolean>;
}

/** Closes the container, and notes in the log of the step when it could not be removed. */
export async function closeOrNote(open: OpenContainer, log: Pick<ActionLog, 'note'>): Promise<void> {
  if (!(await open.close())) log.note(`The container ${open.container.id} could not be removed.`);
}

/** These labels identify the containers that a crash leaves behind. */
export const runLabel = 'weir.run';
export const dagLabel = 'weir.dag';
export const keepLabel = 'weir.keep';

const removeWithinMs = 30_000;

/** Idles until it is killed. */
const keepAlive: MainProcess = { Entrypoint: ['sh', '-c', 'while :; do sleep 86400 & wait $!; done'], Cmd: [] };

export type OpenOptions = ContainerContext & ImageOptions;

/** Creates a container and waits until it is ready, or finds the existing one that is named. */
export async function openContainer(settings: ContainerSettings, options: OpenOptions): Promise<OpenContainer> {
  const docker = await connectEngine(options.env);
  const existing = existingName(settings);
  if (existing !== undefined) return findContainer(docker, existing, settings);
  const open = await createContainer(docker, requireImage(settings), { ...options, main: mainProcess(settings) });
  try {
    await startContainer(open.container);
    await awaitReady(open, options.signal);
    return open;
  } catch (error) {
    await open.close();
    throw error;
  }
}

/** The name of the existing container; `undefined` when a new one is created. */
export function existingName({ image, exec, name }: ContainerSettings): string | undefined {
  if (image !== undefined) return undefined;
  return typeof exec === 'string' ? exec : name;
}

export type CreateOptions = OpenOptions & { readonly main: MainProcess };

/** Creates a container without starting it. */
export async function createContainer(
  docker: Docker,
  settings: NewContainerSettings,
  { main, ...options }: CreateOptions,
): Promise<OpenContainer> {
  await bringImage(docker, settings, options);
  const isRetained = settings.keep_container === true;
  const labels = { ...options.labels, ...(isRetained ? { [keepLabel]: 'true' } : {}) };
  options.signal.throwIfAborted();
  const container = await withDeadline(
    docker.createContainer(containerOptions(settings, { ...options, labels }, main)),
    (error) => engineFailed(isConflict(error) ? 'name' : 'create', error),
  );
  return { docker, container, settings, close: () => (isRetained ? stop(container) : remove(container)) };
}

export async function startContainer(container: Docker.Container): Promise<void> {
  await withDeadline(container.start(), 'start');
}

async function findContainer(docker: Docker, name: string, settings: ContainerSettings): Promise<OpenContainer> {
  const container = docker.getContainer(name);
  const { State } = await withDeadline(container.inspect(), (error) =>
    engineFailed(isNotThere(error) ? 'find' : 'lost', error),
  );
  if (!State.Running) throw engineFailed('find');
  return { docker, container, settings, close: () => Promise.resolve(true) };
}

function mainProcess({ command = [], startup: chosen }: ContainerSettings): MainProcess {
  const startup = chosen ?? (command.length > 0 ? 'command' : 'keepalive');
  if (startup === 'keepalive') return keepAlive;
  return startup === 'command' ? { Cmd: [...command] } : {};
}

/** A retained container is stopped, so that it can be inspected. */
async function stop(container: Docker.Container): Promise<boolean> {
  await within(
    container.kill().catch(() => undefined),
    removeWithinMs,
  );
  return true;
}

async function remove(container: Docker.Container): Promise<boolean> {
  // With `auto_remove` the engine may be removing it at this moment.
  const isGone = (error: unknown): boolean => isNotThere(error) || isConflict(error);
  const removed = container.remove({ force: true, v: true }).then(
    () => true,
    (error: unknown) => isGone(error),
  );
  return (await within(removed, removeWithinMs)) === true;
}
