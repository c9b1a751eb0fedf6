import react from '@vitejs/plugin-react';
import { defaultClientConditions } from 'vite';
import { compileMessages } from './compile-messages.mjs';
import { orderLayers } from './order-layers.mjs';
import { precompress } from './precompress.mjs';

/** The options of Vite for an interface; `proxy` says where the addresses of the server are while it is developed. */
export function createBuild(proxy) {
  return {
    // Relative to the base element, whose address only the server knows.
    base: './',
    // Packages of this repository are built from their sources.
    // Of yaml, npm may install one copy for each package that needs it.
    resolve: { conditions: ['@weir/source', ...defaultClientConditions], dedupe: ['yaml'] },
    plugins: [react(), compileMessages(), orderLayers(), precompress()],
    build: {
      target: ['chrome123', 'firefox128', 'safari18'],
      assetsInlineLimit: 0,
      // Few requests before small ones.
      cssCodeSplit: false,
      reportCompressedSize: false,
      // Whose code the interface has: the build of the server adds it to its own list.
      license: { fileName: '.vite/licenses.json' },
      // What the first screen needs is one file, also where a screen that is loaded later needs a part of it.
      rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'first', tags: ['$initial'] }] } } },
    },
    server: { proxy },
  };
}
