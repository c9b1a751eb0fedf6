import { minSecretLength, secretForms } from './secret-forms';

describe('secretForms', () => {
  it('includes the value itself', () => {
    expect(secretForms('abc')).toContain('abc');
  });

  it('includes no form too short to be distinguished from other text', () => {
    expect(secretForms('ab')).toEqual(['YWI=', 'YWI']);
    expect(secretForms('a\nbc\nd').every((form) => Buffer.byteLength(form) >= minSecretLength)).toBe(true);
  });

  it('includes no form twice', () => {
    const forms = secretForms('abc/def+ghi');

    expect(new Set(forms).size).toBe(forms.length);
  });

  it('accepts a value with half of a surrogate pair', () => {
    expect(() => secretForms('abc\uD800def')).not.toThrow();
  });
});
