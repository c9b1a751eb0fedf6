import { scorerList } from './scorer-list';

describe('the list of models that score', () => {
  it('has names, kinds and addresses', () => {
    expect(scorerList.parse('teacher=vllm@http://host:8000/base, ref=sglang@https://user:word@other')).toEqual([
      { name: 'teacher', kind: 'vllm', url: 'http://host:8000/base' },
      { name: 'ref', kind: 'sglang', url: 'https://user:word@other' },
    ]);
    expect(scorerList.parse('')).toEqual([]);
  });

  it.each([
    'teacher',
    'teacher=vllm',
    'Teacher=vllm@http://host',
    'teacher=llama-cpp@http://host',
    'teacher=vllm@ftp://host',
    'teacher=vllm@http://host:port',
    'a=vllm@http://one,a=vllm@http://two',
    Array.from({ length: 9 }, (_value, at) => `m${at}=vllm@http://host`).join(','),
  ])('refuses %p', (text) => {
    const { error } = scorerList.safeParse(text);
    expect(error?.issues[0]?.message).toContain('must be at most 8 entries');
  });
});
