import { AppError } from '@weir/foundation';
import { createLogger, type LogFields, type LoggerOptions } from './logger';

function record(options: Partial<LoggerOptions> = {}) {
  const lines: string[] = [];
  const destination = { write: (line: string) => lines.push(line) };
  const logger = createLogger({ level: 'debug', format: 'json', destination, ...options });
  return { logger, lines, parsed: () => lines.map((line) => JSON.parse(line) as LogFields) };
}

describe('createLogger', () => {
  it('writes one JSON object per line: time, level, fields, message', () => {
    const { logger, lines, parsed } = record();
    logger.info({ dagName: 'nightly', durationMs: 5 }, 'run finished');

    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^\{.*\}\n$/);
    expect(parsed()[0]).toMatchObject({
      level: 'info',
      dagName: 'nightly',
      durationMs: 5,
      msg: 'run finished',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) as string,
    });
  });

  it('writes one readable line in text format', () => {
    const { logger, lines } = record({ format: 'text' });
    logger.warn({ dagName: 'nightly' }, 'run late');

    const text = lines.join('');
    expect(text).toMatch(/^\[[\d:.]+\] WARN: run late \{"dagName":"nightly"\}\n$/);
  });

  it.each([
    ['debug', ['debug', 'info', 'warn', 'error']],
    ['warn', ['warn', 'error']],
    ['error', ['error']],
    ['silent', []],
  ] as const)('at level %s writes %p', (level, expected) => {
    const { logger, parsed } = record({ level });
    for (const method of ['debug', 'info', 'warn', 'error'] as const) logger[method]({}, 'x');

    expect(parsed().map((line) => line.level)).toEqual(expected);
  });

  it('adds the fields of a child to its lines and not to those of its parent', () => {
    const { logger, parsed } = record();
    logger.child({ runId: 'r' }).child({ step: 's' }).info({ a: 1 }, 'x');
    logger.info({}, 'x');

    expect(parsed()[0]).toMatchObject({ runId: 'r', step: 's', a: 1 });
    expect(parsed()[1]).not.toHaveProperty('runId');
  });

  describe.each(['json', 'text'] as const)('redaction in %s', (format) => {
    it.each([
      ['on the line', { password: 'hunter2' }],
      ['one level below', { body: { newPassword: 'hunter2' } }],
      ['two levels below', { request: { headers: { authorization: 'hunter2' } } }],
      ['of a whole object', { token: { value: 'hunter2' } }],
    ])('hides fields named like a secret %s', (_, fields) => {
      const { logger, lines } = record({ format });
      logger.info(fields, 'x');

      expect(lines.join('')).not.toContain('hunter2');
      expect(lines.join('')).toContain('[secret]');
    });

    it('hides them in a child too', () => {
      const { logger, lines } = record({ format });
      logger.child({ cookie: 'hunter2', request: { cookie: 'hunter2' } }).info({}, 'x');

      expect(lines.join('')).not.toContain('hunter2');
    });
  });

  it('does not change the object it was given', () => {
    const fields = { body: { password: 'hunter2' } };
    record().logger.info(fields, 'x');

    expect(fields.body.password).toBe('hunter2');
  });

  it('limits the output for a deep or circular object', () => {
    const { logger, lines } = record();
    const circle: Record<string, unknown> = { many: Array.from({ length: 100_000 }, () => ({ a: 1 })) };
    circle.self = circle;
    logger.info({ circle }, 'x');

    expect(lines.join('').length).toBeLessThan(10_000);
  });

  describe('the field error', () => {
    it('is written with stack and causes', () => {
      const { logger, parsed } = record();
      const cause = Object.assign(new Error('connection refused'), { code: 'ECONNREFUSED' });
      logger.error({ error: new AppError('unavailable', 'No database.', { reason: 'db_down', cause }) }, 'x');

      expect(parsed()[0]?.error).toEqual({
        name: 'AppError',
        message: 'No database.',
        code: 'unavailable',
        reason: 'db_down',
        stack: expect.stringContaining('logger.spec') as string,
        causes: [
          {
            name: 'Error',
            message: 'connection refused',
            code: 'ECONNREFUSED',
            stack: expect.stringContaining('logger.spec') as string,
          },
        ],
      });
    });

    it('shows the stack in text format', () => {
      const { logger, lines } = record({ format: 'text' });
      logger.error({ error: new Error('boom') }, 'x');

      expect(lines.join('')).toMatch(/boom[^]*logger\.spec/);
    });

    it('omits properties that libraries add to their errors', () => {
      const { logger, lines } = record();
      logger.error({ error: Object.assign(new Error('x'), { config: { url: 'https://u:hunter2@host' } }) }, 'x');

      expect(lines.join('')).not.toContain('hunter2');
    });

    it.each([
      ['a string', 'boom', 'boom'],
      ['an object that is no error', { secret: 1 }, 'A value that is not an error was thrown.'],
    ])('is %s where that was thrown', (_, thrown, expected) => {
      const { logger, parsed } = record();
      logger.error({ error: thrown }, 'x');

      expect(parsed()[0]?.error).toBe(expected);
    });
  });
});
