// Bundles the app in the current folder into its `dist`.
import { build } from 'esbuild';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { copyFiles, createBundleOptions } from './app-bundle.mjs';

const app = process.cwd();
const output = path.join(app, 'dist');

rmSync(output, { recursive: true, force: true });
await build(createBundleOptions(app, output));
copyFiles(app, output);
