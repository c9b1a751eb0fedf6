import type { Logger } from '../logging/logger';

/** Something that was started and must be stopped. `stop` may be called once; it may take its time. */
export interface Resource {
  readonly name: string;
  stop(): Promise<void>;
}

/** Registers each resource as soon as it has started, so that a later failure still stops it. */
export type StartResource = <R extends Resource>(resource: R) => R;

export interface ServiceOptions {
  readonly logger: Logger;
  /** Starts everything, handing each resource to `add`. */
  readonly start: (add: StartResource) => Promise<void>;
  /** All resources together get this long to stop. Default 30 s. */
  readonly stopTimeoutMs?: number;
}

export interface Service {
  /** Stops in reverse order of start. A second call returns the promise of the first. */
  stop(): Promise<StopResult>;
}

export type StopResult = 'clean' | 'failed' | 'timed_out';

const defaultStopTimeoutMs = 30_000;

/**
 * Starts a service. When a part fails to start, what was up is stopped again and the failure is thrown. A resource
 * that comes up only after that, or after a stop, is stopped at once.
 */
export async function startService({
  logger,
  start,
  stopTimeoutMs = defaultStopTimeoutMs,
}: ServiceOptions): Promise<Service> {
  const running: Resource[] = [];
  let stopping: Promise<StopResult> | undefined;
  const stop = (): Promise<StopResult> => (stopping ??= stopAll(running, stopTimeoutMs, logger));
  try {
    await start((resource) => {
      if (stopping === undefined) running.push(resource);
      else void stopOne(resource, logger);
      return resource;
    });
  } catch (error) {
    await stop();
    throw error;
  }
  return { stop };
}

async function stopAll(running: Resource[], timeoutMs: number, logger: Logger): Promise<StopResult> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<StopResult>((resolve) => {
    timer = setTimeout(() => {
      const resources = running.map((resource) => resource.name).reverse();
      logger.error({ resources, stopTimeoutMs: timeoutMs }, 'resources did not stop in time');
      resolve('timed_out');
    }, timeoutMs);
  });
  try {
    return await Promise.race([stopInReverse(running, logger), deadline]);
  } finally {
    clearTimeout(timer);
  }
}

async function stopInReverse(running: Resource[], logger: Logger): Promise<StopResult> {
  let result: StopResult = 'clean';
  for (let last = running.at(-1); last !== undefined; last = running.at(-1)) {
    if (!(await stopOne(last, logger))) result = 'failed';
    running.pop();
  }
  return result;
}

/** Returns whether the resource stopped. A failure is logged here, so that the other resources still stop. */
async function stopOne(resource: Resource, logger: Logger): Promise<boolean> {
  try {
    await resource.stop();
    return true;
  } catch (error) {
    logger.error({ resource: resource.name, error }, 'resource did not stop');
    return false;
  }
}

export interface SignalSource {
  on(signal: 'SIGTERM' | 'SIGINT', listener: () => void): unknown;
}

/**
 * Stops the service at the first SIGTERM or SIGINT; resolves with the exit code: 0 after a clean stop, 1 after a
 * failed or late one, or at once when a second signal comes.
 */
export function waitForStopSignal(service: Service, signals: SignalSource, logger: Logger): Promise<number> {
  return new Promise((resolve) => {
    let asked = false;
    const onSignal = (): void => {
      if (asked) {
        resolve(1);
        return;
      }
      asked = true;
      logger.info({}, 'stopping');
      void service.stop().then((result) => {
        logger.info({ result }, 'stopped');
        resolve(result === 'clean' ? 0 : 1);
      });
    };
    signals.on('SIGTERM', onSignal);
    signals.on('SIGINT', onSignal);
  });
}
