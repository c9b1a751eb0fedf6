import { readFileSync } from 'node:fs';
import { isSystemError } from './system-error';

function failedRead(): unknown {
  try {
    return readFileSync('/no/such/file');
  } catch (error) {
    return error;
  }
}

describe('isSystemError', () => {
  it('recognises the code of a failed system call', () => {
    expect(isSystemError(failedRead(), 'ENOENT')).toBe(true);
    expect(isSystemError(failedRead(), 'EACCES')).toBe(false);
    expect(isSystemError(failedRead(), 'EACCES', 'ENOENT')).toBe(true);
  });

  it.each([[undefined], ['ENOENT'], [{ code: 'ENOENT' }], [new Error('ENOENT')]])('refuses %p', (value) => {
    expect(isSystemError(value, 'ENOENT')).toBe(false);
  });
});
