import path from 'node:path';
import { isAppError } from '@weir/foundation';
import { parseDatabaseUrl } from './database-url';

describe('parseDatabaseUrl', () => {
  it.each([
    ['an absolute path', 'file:/var/lib/weir/weir.db', '/var/lib/weir/weir.db'],
    ['a relative path', 'file:data/weir.db', path.resolve('data/weir.db')],
    ['a file URL', 'file:///var/lib/we%20ir/weir.db', '/var/lib/we ir/weir.db'],
  ])('reads %s', (_, url, file) => {
    expect(parseDatabaseUrl(url)).toEqual({ provider: 'sqlite', file });
  });

  it.each(['postgres://weir@127.0.0.1/weir', 'postgresql://weir:p%40ss@127.0.0.1:5433/weir?sslmode=disable'])(
    'keeps %s unchanged',
    (url) => {
      expect(parseDatabaseUrl(url)).toEqual({ provider: 'postgresql', url });
    },
  );

  it.each([
    ['another scheme', 'mysql://root:secret@127.0.0.1/weir'],
    ['no scheme', '/var/lib/weir.db'],
    ['nothing', ''],
    ['a database in memory', 'file::memory:'],
    ['query parameters on a file', 'file:weir.db?mode=ro&key=secret'],
    ['no file name', 'file:'],
    ['a folder', 'file:/var/lib/'],
    ['a remote file', 'file://server/secret.db'],
    ['no database name', 'postgres://weir:secret@127.0.0.1:5432/'],
    ['something unparsable', 'postgres://weir:secret@127.0.0.1:notaport/weir'],
  ])('refuses %s without repeating the URL', (_, url) => {
    const error = catchError(() => parseDatabaseUrl(url));
    expect(error).toMatchObject({ code: 'invalid_request', reason: 'database_url_invalid' });
    expect(String(error)).not.toContain('secret');
  });
});

function catchError(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    if (isAppError(error)) return error;
    throw error;
  }
  return undefined;
}
