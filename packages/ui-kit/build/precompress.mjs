// The server sends these files as they are: it compresses nothing itself.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const compressible = /\.(js|css|svg|json)$/;

/** A plugin of Vite: puts a `.br` and a `.gz` beside every built file that gets smaller. */
export function precompress() {
  let folder;
  return {
    name: 'precompress',
    apply: 'build',
    configResolved: ({ root, build }) => {
      folder = path.resolve(root, build.outDir);
    },
    closeBundle: () => {
      for (const entry of readdirSync(folder, { recursive: true })) {
        if (!compressible.test(entry) || entry.startsWith('.vite')) continue;
        const file = path.join(folder, entry);
        const content = readFileSync(file);
        writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
        writeFileSync(`${file}.br`, brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }));
      }
    },
  };
}
