import { createRecordingLogger } from '@weir/test-kit';
import { openStepIsolation } from './step-isolation';

const tools = { bwrap: '/bin/bwrap', nsenter: '', env: '', setpriv: '', cat: '' };
const closed = ['/srv/weir/auth', '/srv/weir/data', '/srv/weir/logs'];

type Mode = 'auto' | 'off' | 'required';

const open = (isolationMode: Mode, tryOut: Parameters<typeof openStepIsolation>[1]) => {
  const logger = createRecordingLogger();
  const steps = { defaultShell: undefined, passthrough: { names: [], prefixes: [] }, isolationMode } as const;
  const logLimits = { maxBytes: 1, maxRunBytes: 1, onExceeded: 'drop' } as const;
  const folders = { home: '/srv/weir', data: { folder: '/srv/weir/data' }, logs: { folder: '/srv/weir/logs' } };
  const opened = openStepIsolation({ config: { ...folders, steps: { ...steps, logLimits } }, logger }, tryOut);
  return { opened, logger };
};

describe('step isolation', () => {
  it.each<Mode>(['auto', 'required'])('is on with %s where the host allows it', async (mode) => {
    const tryOut = (folders: readonly string[]) => Promise.resolve({ tools: { ...tools, cat: folders.join() } });
    const { opened, logger } = open(mode, tryOut);

    expect(await opened).toEqual({ kind: 'namespaces', closed, tools: { ...tools, cat: closed.join() } });
    expect(logger.entries).toMatchObject([{ level: 'info', message: 'steps are isolated from the server' }]);
  });

  it('is off with auto where the host cannot isolate, and the log explains why', async () => {
    const { opened, logger } = open('auto', () => Promise.resolve({ problem: 'no means' }));

    expect(await opened).toEqual({ kind: 'none' });
    expect(logger.entries).toMatchObject([
      { level: 'warn', message: 'steps are not isolated from the server', fields: { reason: 'no means' } },
    ]);
  });

  it('refuses to start with required where the host cannot isolate', async () => {
    const { opened } = open('required', () => Promise.resolve({ problem: 'no means' }));

    await expect(opened).rejects.toMatchObject({
      reason: 'isolation_unavailable',
      message: 'Steps cannot be isolated here, which WEIR_STEP_ISOLATION requires: no means.',
    });
  });

  it('is not tested with off', async () => {
    const { opened, logger } = open('off', () => Promise.reject(new Error('tried')));

    expect(await opened).toEqual({ kind: 'none' });
    expect(logger.entries).toMatchObject([{ level: 'info', message: 'steps are not isolated from the server' }]);
  });
});
