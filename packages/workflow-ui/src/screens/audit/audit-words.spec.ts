import { callerOf, objectOf, readDetails } from './audit-words';

it('names a changed object by the name in its details', () => {
  const details = JSON.stringify({ after: { username: 'grace', role: 'viewer' } });

  expect(objectOf({ resourceId: 'u-1', details })).toBe('grace');
});

it('names a deleted object by its last name, and its workspace', () => {
  const details = JSON.stringify({ before: { ref: 'payments/api' } });

  expect(objectOf({ resourceId: 's-1', details, workspace: 'finance' })).toBe('payments/api · finance');
});

it('names an object without a name by its id', () => {
  expect(objectOf({ resourceId: 'nightly' })).toBe('nightly');
});

it('names a caller without a name by its id, and handles a missing caller', () => {
  expect(callerOf({ username: '', userId: 'apikey:7' })).toBe('apikey:7');
  expect(callerOf({ username: '', userId: '' })).toBeUndefined();
});

it('keeps details that were cut as text', () => {
  expect(readDetails({ details: '{"after":{"na' })).toEqual({ details: '{"after":{"na' });
});
