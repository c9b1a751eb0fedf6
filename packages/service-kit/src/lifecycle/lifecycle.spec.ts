import { EventEmitter } from 'node:events';
import { createRecordingLogger, waitFor, type RecordingLogger } from '@weir/test-kit';
import { startService, waitForStopSignal, type Resource, type Service, type StopResult } from './lifecycle';

describe('startService', () => {
  let logger: RecordingLogger;
  let stopped: string[];

  beforeEach(() => {
    logger = createRecordingLogger();
    stopped = [];
  });

  const resource = (name: string): Resource => ({
    name,
    stop: () => {
      stopped.push(name);
      return Promise.resolve();
    },
  });
  const failing = (name: string): Resource => ({ name, stop: () => Promise.reject(new Error(`${name} is stuck`)) });
  const hanging = (name: string): Resource => ({ name, stop: () => new Promise(() => undefined) });

  const createService = (resources: readonly Resource[], stopTimeoutMs?: number): Promise<Service> =>
    startService({
      logger,
      start: (add) => {
        resources.forEach((resource) => add(resource));
        return Promise.resolve();
      },
      ...(stopTimeoutMs === undefined ? {} : { stopTimeoutMs }),
    });

  it('returns each resource unchanged', async () => {
    const database = { ...resource('database'), url: 'file:x' };
    let returned: typeof database | undefined;
    await startService({
      logger,
      start: (add) => {
        returned = add(database);
        return Promise.resolve();
      },
    });

    expect(returned).toBe(database);
  });

  it('stops in reverse order, each after the previous one is stopped', async () => {
    let isServerDown = false;
    const order: [string, boolean][] = [];
    const database: Resource = {
      name: 'database',
      stop: () => {
        order.push(['database', isServerDown]);
        return Promise.resolve();
      },
    };
    const server: Resource = {
      name: 'server',
      stop: async () => {
        order.push(['server', isServerDown]);
        await new Promise((resolve) => setImmediate(resolve));
        isServerDown = true;
      },
    };
    const service = await createService([database, server]);

    expect(await service.stop()).toBe('clean');
    expect(order).toEqual([
      ['server', false],
      ['database', true],
    ]);
  });

  it('stops once, with the same promise for every caller', async () => {
    const service = await createService([resource('a')]);

    const first = service.stop();
    expect(service.stop()).toBe(first);
    await first;
    expect(service.stop()).toBe(first);
    expect(stopped).toEqual(['a']);
  });

  it('stops the others when one fails to stop, and reports it', async () => {
    const thrower: Resource = {
      name: 'thrower',
      stop: () => {
        throw new Error('at once');
      },
    };
    const service = await createService([resource('a'), failing('b'), thrower, resource('c')]);

    expect(await service.stop()).toBe('failed');
    expect(stopped).toEqual(['c', 'a']);
    expect(logger.entries.map(({ level, message, fields }) => [level, message, fields.resource])).toEqual([
      ['error', 'resource did not stop', 'thrower'],
      ['error', 'resource did not stop', 'b'],
    ]);
  });

  it('gives up at the deadline and names the parts still running', async () => {
    const service = await createService([resource('a'), hanging('b'), resource('c')], 20);

    expect(await service.stop()).toBe('timed_out');
    expect(stopped).toEqual(['c']);
    expect(logger.entries).toEqual([
      {
        level: 'error',
        message: 'resources did not stop in time',
        fields: { resources: ['b', 'a'], stopTimeoutMs: 20 },
      },
    ]);
  });

  describe('when a part fails to start', () => {
    const boom = new Error('port taken');

    it('stops the started parts and throws the failure', async () => {
      const starting = startService({
        logger,
        start: async (add) => {
          add(resource('database'));
          await Promise.resolve();
          add(resource('runner'));
          throw boom;
        },
      });

      await expect(starting).rejects.toBe(boom);
      expect(stopped).toEqual(['runner', 'database']);
    });

    it('throws that failure even when a part fails to stop', async () => {
      const starting = startService({
        logger,
        start: (add) => {
          add(failing('database'));
          return Promise.reject(boom);
        },
      });

      await expect(starting).rejects.toBe(boom);
      expect(logger.messages()).toEqual(['resource did not stop']);
    });

    it('stops a resource that starts only afterwards', async () => {
      let addLate: ((resource: Resource) => void) | undefined;
      const starting = startService({
        logger,
        start: (add) => {
          addLate = add;
          return Promise.reject(boom);
        },
      });
      await expect(starting).rejects.toBe(boom);

      addLate?.(resource('late'));

      expect(stopped).toEqual(['late']);
    });
  });
});

describe('waitForStopSignal', () => {
  function serviceEnding(result: Promise<StopResult>): Service & { readonly stops: () => number } {
    let stops = 0;
    return {
      stop: () => {
        stops++;
        return result;
      },
      stops: () => stops,
    };
  }

  it.each([
    ['SIGTERM', 'clean', 0],
    ['SIGINT', 'clean', 0],
    ['SIGTERM', 'failed', 1],
    ['SIGTERM', 'timed_out', 1],
  ] as const)('after %s and a stop that is %s returns %d', async (signal, result, code) => {
    const signals = new EventEmitter();
    const logger = createRecordingLogger();
    const exit = waitForStopSignal(serviceEnding(Promise.resolve(result)), signals, logger);

    signals.emit(signal);

    expect(await exit).toBe(code);
    expect(logger.messages()).toEqual(['stopping', 'stopped']);
  });

  it('returns 1 at the second signal without waiting for the stop', async () => {
    const signals = new EventEmitter();
    const service = serviceEnding(new Promise(() => undefined));
    const exit = waitForStopSignal(service, signals, createRecordingLogger());

    signals.emit('SIGTERM');
    signals.emit('SIGINT');

    expect(await exit).toBe(1);
    expect(service.stops()).toBe(1);
  });

  it('stops nothing before a signal', async () => {
    const signals = new EventEmitter();
    const service = serviceEnding(Promise.resolve('clean'));
    const logger = createRecordingLogger();
    const exit = waitForStopSignal(service, signals, logger);
    expect(service.stops()).toBe(0);

    signals.emit('SIGTERM');
    await exit;
    await waitFor(() => logger.messages().includes('stopped'), { what: 'the stop' });
  });
});
