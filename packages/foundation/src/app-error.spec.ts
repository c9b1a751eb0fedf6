/** @jest-environment node */
import type * as appErrorModule from './app-error';
import { AppError, isAppError } from './app-error';

describe('AppError', () => {
  it('carries code, message, reason, details and cause', () => {
    const cause = new Error('UNIQUE constraint failed');
    const error = new AppError('conflict', 'DAG "nightly" already exists.', {
      reason: 'dag_exists',
      details: { name: 'nightly' },
      cause,
    });

    expect(error).toMatchObject({ code: 'conflict', reason: 'dag_exists', details: { name: 'nightly' }, cause });
    expect(error.message).toBe('DAG "nightly" already exists.');
  });

  it('has no cause property when none was given', () => {
    expect('cause' in new AppError('internal', 'x')).toBe(false);
  });

  it('does not serialise its marker', () => {
    const symbols = Object.getOwnPropertySymbols(new AppError('internal', 'x'));
    expect(
      symbols.filter((symbol) => Object.prototype.propertyIsEnumerable.call(new AppError('internal', 'x'), symbol)),
    ).toEqual([]);
  });
});

describe('isAppError', () => {
  it('recognises an error made by another copy of the package', () => {
    jest.resetModules();
    const copy = jest.requireActual<typeof appErrorModule>('./app-error');
    const foreign = new copy.AppError('not_found', 'x');

    expect(foreign).not.toBeInstanceOf(AppError);
    expect(isAppError(foreign)).toBe(true);
  });

  it.each([[new Error('x')], [{ code: 'internal' }], [null], ['internal']])('refuses %p', (value) => {
    expect(isAppError(value)).toBe(false);
  });
});
