import { fillPath } from './fill-path';

describe('fillPath', () => {
  it('fills the braces with percent-encoded values', () => {
    expect(fillPath('/folders/{folder}/notes/{note}', { folder: 'a/b ü', note: 7 })).toBe(
      '/folders/a%2Fb%20%C3%BC/notes/7',
    );
  });

  it.each([undefined, '', '.', '..'])('refuses %p as a part of the path', (folder) => {
    expect(() => fillPath('/folders/{folder}', { folder })).toThrow('"folder"');
  });
});
