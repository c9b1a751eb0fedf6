import { AppError } from './app-error';
import { causeChain, toAppError, toError } from './cause';

describe('causeChain', () => {
  it('lists the error and its causes, outermost first', () => {
    const root = new Error('root');
    const middle = new Error('middle', { cause: root });
    const top = new AppError('internal', 'top', { cause: middle });

    expect(causeChain(top)).toEqual([top, middle, root]);
  });

  it('ends on a cause that leads back to itself', () => {
    const error = new Error('loop');
    error.cause = error;

    expect(causeChain(error)).toHaveLength(16);
  });
});

describe('toAppError', () => {
  it('keeps an AppError', () => {
    const error = new AppError('forbidden', 'No.');
    expect(toAppError(error)).toBe(error);
  });

  it('hides the message of a foreign error and keeps it as cause', () => {
    const foreign = new Error('password=hunter2');
    const error = toAppError(foreign);

    expect(error.code).toBe('internal');
    expect(error.message).not.toContain('hunter2');
    expect(error.cause).toBe(foreign);
  });
});

describe('toError', () => {
  it('keeps an error', () => {
    const error = new Error('x');
    expect(toError(error)).toBe(error);
  });

  it('converts a thrown string to an error with that message', () => {
    expect(toError('boom').message).toBe('boom');
  });

  it('keeps a thrown value that is neither as cause', () => {
    expect(toError({ status: 5 }).cause).toEqual({ status: 5 });
  });
});
