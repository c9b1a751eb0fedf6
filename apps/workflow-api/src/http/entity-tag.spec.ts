import { assertRevision, toEntityTag } from './entity-tag';

const current = toEntityTag('name: a\n');

describe('assertRevision', () => {
  it.each([undefined, '*', current, `"other", ${current}`])('accepts %j', (ifMatch) => {
    expect(() => assertRevision(ifMatch, current)).not.toThrow();
  });

  it.each(['', '"other"', `W/${current}`, toEntityTag('name: b\n')])('refuses %j', (ifMatch) => {
    expect(() => assertRevision(ifMatch, current)).toThrow(
      expect.objectContaining({ code: 'precondition_failed', reason: 'revision_changed' }) as Error,
    );
  });
});
