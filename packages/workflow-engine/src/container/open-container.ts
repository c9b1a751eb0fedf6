import type Docker from 'dockerode';
import { within } from '../actions/end-or-stop';
import type { ActionLog } from '../actions/action-log';
import { requireImage, type ContainerSettings, type NewContainerSettings } from './container-settings';
import { awaitReady } from './await-ready';
import { bringImage, type ImageOptions } from './bring-image';
import { connectEngine } from './connect-engine';
import { containerOptions, type ContainerContext, type MainProcess } from './container-options';
import { withDeadline } from './with-deadline';
import { engineFailed, isConflict, isNotThere } from './engine-errors';

/** A container in which commands can be carried out. */
export interface OpenContainer {
  readonly docker: Docker;
  readonly container: Docker.Container;
  readonly settings: ContainerSettings;
  /** Removes it when it was made here and is not to be kept. Never rejects; tells whether it is as it should be. */
  close(): Promise<boolean>;
}

/** Ends the work in a container; a step whose container stays says so in its log. */
export async function closeOrNote(open: OpenContainer, log: Pick<ActionLog, 'note'>): Promise<void> {
  if (!(await open.close())) log.note(`The container ${open.container.id} could not be removed.`);
}

/** By these labels what a crash left behind is found. */
export const runLabel = 'weir.run';
export const dagLabel = 'weir.dag';
export const keepLabel = 'weir.keep';

const removeWithinMs = 30_000;

/** Waits for nothing that could be done; ends when it is killed. */
const keepAlive: MainProcess = { Entrypoint: ['sh', '-c', 'while :; do sleep 86400 & wait $!; done'], Cmd: [] };

export type OpenOptions = ContainerContext & ImageOptions;

/** Makes a container that steps are carried out in and waits until it is ready, or finds the one that is named. */
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

/** The container that is there already; `undefined` when one is made. */
export function existingName({ image, exec, name }: ContainerSettings): string | undefined {
  if (image !== undefined) return undefined;
  return typeof exec === 'string' ? exec : name;
}

export type CreateOptions = OpenOptions & { readonly main: MainProcess };

/** Makes a container, without starting it. */
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

/** One that is kept is there to be looked at, not to run on. */
async function stop(container: Docker.Container): Promise<boolean> {
  await within(
    container.kill().catch(() => undefined),
    removeWithinMs,
  );
  return true;
}

async function remove(container: Docker.Container): Promise<boolean> {
  // The engine removes those with auto_remove itself, maybe at this moment.
  const isGone = (error: unknown): boolean => isNotThere(error) || isConflict(error);
  const removed = container.remove({ force: true, v: true }).then(
    () => true,
    (error: unknown) => isGone(error),
  );
  return (await within(removed, removeWithinMs)) === true;
}
