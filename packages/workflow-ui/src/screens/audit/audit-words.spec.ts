import { callerOf, objectOf, readDetails } from './audit-words';

it('names what was changed by the name in its details', () => {
  const details = JSON.stringify({ after: { username: 'grace', role: 'viewer' } });

  expect(objectOf({ resourceId: 'u-1', details })).toBe('grace');
});

it('names what was deleted by its last name, and its workspace', () => {
  const details = JSON.stringify({ before: { ref: 'payments/api' } });

  expect(objectOf({ resourceId: 's-1', details, workspace: 'finance' })).toBe('payments/api · finance');
});

it('names by the id what has no other name', () => {
  expect(objectOf({ resourceId: 'nightly' })).toBe('nightly');
});

it('names a caller by the id where it has no name, and nobody', () => {
  expect(callerOf({ username: '', userId: 'apikey:7' })).toBe('apikey:7');
  expect(callerOf({ username: '', userId: '' })).toBeUndefined();
});

it('keeps details that were cut as text', () => {
  expect(readDetails({ details: '{"after":{"na' })).toEqual({ details: '{"after":{"na' });
});
