import { readFrontMatter } from './front-matter';

describe('readFrontMatter', () => {
  it.each([
    ['---\ntitle: On call\ndescription: Who to ask\n---\n# Text\n', { title: 'On call', description: 'Who to ask' }],
    ['---\r\ntitle: On call\r\n---\r\nText', { title: 'On call', description: undefined }],
    ['\uFEFF---\ntitle: On call\n---\n', { title: 'On call', description: undefined }],
  ])('reads %j', (content, expected) => {
    expect(readFrontMatter(content)).toEqual(expected);
  });

  it.each([
    '# Text',
    '---\ntitle: [open\n---\n',
    '---\ntitle: 5\n---\n',
    '---\n- title\n---\n',
    '---\ntitle: never closed\n',
    'Text\n---\ntitle: later\n---\n',
    `---\n${'x: y\n'.repeat(5000)}title: far\n---\n`,
  ])('finds nothing in %j', (content) => {
    expect(readFrontMatter(content)).toEqual({ title: undefined, description: undefined });
  });
});
