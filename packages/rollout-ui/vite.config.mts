import { createBuild } from '@weir/ui-kit/build';
import { defineConfig } from 'vite';

// `npm run dev -- rollout-proxy` starts the proxy beside it.
export default defineConfig(createBuild({ '/rl': 'http://127.0.0.1:8000' }));
