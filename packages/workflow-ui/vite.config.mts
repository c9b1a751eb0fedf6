import { fileURLToPath } from 'node:url';
import { createBuild } from '@weir/ui-kit/build';
import { defineConfig } from 'vite';

// `npm run dev` starts the server beside it.
const build = createBuild({ '/api': 'http://127.0.0.1:8080' });
const ofLanguage = (file: string) => fileURLToPath(new URL(`src/editor/language/${file}`, import.meta.url));
const alias = [
  { find: 'fast-uri', replacement: ofLanguage('uri-resolver.ts') },
  { find: /^re2js$/, replacement: ofLanguage('pattern-library.ts') },
];

// Workers load what few texts need when they need it.
export default defineConfig({ ...build, worker: { format: 'es' }, resolve: { ...build.resolve, alias } });
