import { minSecretLength, secretForms } from './secret-forms';

describe('secretForms', () => {
  it('has the value itself', () => {
    expect(secretForms('abc')).toContain('abc');
  });

  it('has nothing that is too short to be told from other text', () => {
    expect(secretForms('ab')).toEqual(['YWI=', 'YWI']);
    expect(secretForms('a\nbc\nd').every((form) => Buffer.byteLength(form) >= minSecretLength)).toBe(true);
  });

  it('has nothing twice', () => {
    const forms = secretForms('abc/def+ghi');

    expect(new Set(forms).size).toBe(forms.length);
  });

  it('takes a value with half of a character', () => {
    expect(() => secretForms('abc\uD800def')).not.toThrow();
  });
});
