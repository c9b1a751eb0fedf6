import path from 'node:path';
import { buildSync } from 'esbuild';
import { temporaryFolder, type TemporaryFolder } from '@weir/test-kit';

export interface FileProgram {
  readonly program: string;
  /** The folder around the program, which the spec removes. */
  readonly bundle: TemporaryFolder;
  readonly modules: string;
}

/** The program for files of databases and workbooks, built as the server has it. */
export function buildFileProgram(): FileProgram {
  const bundle = temporaryFolder();
  const program = bundle.file('server/file-program.js');
  const modules = path.resolve(__dirname, '../../../../../node_modules');
  buildSync({
    entryPoints: [path.join(__dirname, '../file-program.ts')],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    nodePaths: [modules],
    alias: { 'better-sqlite3': require.resolve('better-sqlite3') },
    external: [require.resolve('better-sqlite3'), '@duckdb/node-api'],
  });
  return { program, bundle, modules };
}
