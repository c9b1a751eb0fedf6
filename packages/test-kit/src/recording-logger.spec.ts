import { createRecordingLogger } from './recording-logger';

describe('createRecordingLogger', () => {
  it('keeps level, message and fields in order, children included', () => {
    const logger = createRecordingLogger();
    logger.info({ runId: 'run-1' }, 'run started');
    const child = logger.child({ requestId: 'request-1' }).child({ step: 'load' });
    child.warn({ step: 'extract' }, 'step retried');
    child.error({}, 'run failed');
    logger.debug({}, 'bye');

    expect(logger.entries).toEqual([
      { level: 'info', message: 'run started', fields: { runId: 'run-1' } },
      { level: 'warn', message: 'step retried', fields: { requestId: 'request-1', step: 'extract' } },
      { level: 'error', message: 'run failed', fields: { requestId: 'request-1', step: 'load' } },
      { level: 'debug', message: 'bye', fields: {} },
    ]);
    expect(logger.messages('warn')).toEqual(['step retried']);
    expect(logger.messages()).toHaveLength(4);
  });
});
