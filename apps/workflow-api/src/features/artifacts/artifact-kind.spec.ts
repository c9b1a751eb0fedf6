import { detectArtifactKind } from './artifact-kind';

describe('artifactKind', () => {
  it.each([
    ['page.MD', '# a', 'markdown', 'text/markdown'],
    ['page.html', '<b>', 'html', 'text/html'],
    ['data.json', '{}', 'text', 'application/json'],
    ['README', 'text', 'text', 'text/plain'],
    ['empty', '', 'text', 'text/plain'],
    ['constructor', 'text', 'text', 'text/plain'],
    ['a.constructor', 'text', 'text', 'text/plain'],
    ['photo.png', '\x89PNG', 'image', 'image/png'],
    ['drawing.svg', '<svg/>', 'image', 'image/svg+xml'],
    ['page.md', 'a\0b', 'binary', 'application/octet-stream'],
  ])('of %s is by name and content', (name, text, kind, mimeType) => {
    expect(detectArtifactKind(name, Buffer.from(text, 'latin1'))).toEqual({ kind, mimeType });
  });

  it('treats other encodings than UTF-8 as binary, but not a character that the end cut', () => {
    const text = Buffer.from('größe 漢');

    expect(detectArtifactKind('a.txt', text.subarray(0, -1)).kind).toBe('text');
    expect(detectArtifactKind('a.txt', text.subarray(0, -2)).kind).toBe('text');
    expect(detectArtifactKind('a.txt', Buffer.from([0x61, 0xff, 0x61])).kind).toBe('binary');
  });
});
