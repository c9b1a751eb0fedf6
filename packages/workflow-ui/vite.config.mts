import { createBuild } from '@weir/ui-app/build';
import { defineConfig } from 'vite';

// `npm run dev` starts the server beside it.
export default defineConfig(createBuild({ '/api': 'http://127.0.0.1:8080' }));
