// Bundles the app in the current folder into its `dist`.
import { rmSync } from 'node:fs';
import path from 'node:path';
import { bundleApp } from './app-bundle.mjs';

const app = process.cwd();
const output = path.join(app, 'dist');

rmSync(output, { recursive: true, force: true });
await bundleApp(app, output);
