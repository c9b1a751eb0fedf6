import { fileURLToPath } from 'node:url';
import { createBuild } from '@weir/ui-kit/build';
import { defineConfig } from 'vite';

// `npm run dev` starts the server beside it.
const build = createBuild({ '/api': 'http://127.0.0.1:8080' });
const alias = {
  'fast-uri': fileURLToPath(new URL('src/editor/language/uri-resolver.ts', import.meta.url)),
};

export default defineConfig({ ...build, resolve: { ...build.resolve, alias } });
