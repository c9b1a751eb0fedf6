import { holdsClosed, isClosed } from './closed-folders';

const access = { closed: ['/srv/weir/data', '/srv/weir/logs'], open: ['/srv/weir/data/runs/own', '/srv/weir/dags'] };

describe('isClosed', () => {
  it.each([
    ['a closed folder', '/srv/weir/data', true],
    ['what is in it', '/srv/weir/data/weir.db', true],
    ['what is beside it', '/srv/weir/data2/file', false],
    ['what is above it', '/srv/weir', false],
    ['an open folder in it', '/srv/weir/data/runs/own', false],
    ['what is in the open folder', '/srv/weir/data/runs/own/a/b', false],
    ['a neighbour of the open folder', '/srv/weir/data/runs/own2', true],
    ['anything else', '/etc/passwd', false],
  ])('recognizes %s', (_, path, expected) => {
    expect(isClosed(path, access)).toBe(expected);
  });

  it('recognizes a closed folder in an open one', () => {
    expect(isClosed('/srv/dags/weir/auth/key', { closed: ['/srv/dags/weir/auth'], open: ['/srv/dags'] })).toBe(true);
  });
});

describe('holdsClosed', () => {
  it.each([
    ['/', true],
    ['/srv/weir', true],
    ['/srv/weir/logs', true],
    ['/srv/weir/logs/own', false],
    ['/srv/weir/dags', false],
  ])('of %s is %s', (path, expected) => {
    expect(holdsClosed(path, access)).toBe(expected);
  });
});
