import { holdsClosed, isClosed } from './closed-folders';

const access = { closed: ['/home/data', '/home/logs'], open: ['/home/data/work/own', '/home/dags'] };

describe('isClosed', () => {
  it.each([
    ['a closed folder', '/home/data', true],
    ['what is in it', '/home/data/weir.db', true],
    ['what is beside it', '/home/data2/file', false],
    ['what is above it', '/home', false],
    ['an open folder in it', '/home/data/work/own', false],
    ['what is in the open folder', '/home/data/work/own/a/b', false],
    ['a neighbour of the open folder', '/home/data/work/own2', true],
    ['anything else', '/etc/passwd', false],
  ])('tells of %s', (_, path, expected) => {
    expect(isClosed(path, access)).toBe(expected);
  });

  it('tells of a closed folder in an open one', () => {
    expect(isClosed('/srv/dags/home/auth/key', { closed: ['/srv/dags/home/auth'], open: ['/srv/dags'] })).toBe(true);
  });
});

describe('holdsClosed', () => {
  it.each([
    ['/', true],
    ['/home', true],
    ['/home/logs', true],
    ['/home/logs/own', false],
    ['/home/dags', false],
  ])('of %s is %s', (path, expected) => {
    expect(holdsClosed(path, access)).toBe(expected);
  });
});
