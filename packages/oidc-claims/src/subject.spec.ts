import { maxSubjectBytes, subjectByteLength } from './subject';

describe('subjectByteLength', () => {
  it('counts bytes, not characters', () => {
    expect(subjectByteLength('é€😀')).toBe(9);
  });

  it('finds a subject over the limit of the token exchange that has fewer characters', () => {
    const sub = `repo:o/r:environment:${'ü'.repeat(60)}`;
    expect(sub.length).toBeLessThan(maxSubjectBytes);
    expect(subjectByteLength(sub)).toBeGreaterThan(maxSubjectBytes);
  });
});
