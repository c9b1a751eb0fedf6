import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { chromium, type Browser } from 'playwright-core';

const root = path.resolve(__dirname, '../../../..');
const unpackScript = path.resolve(__dirname, '../../browser/unpack-browser.mjs');
const folder = path.join(root, '.runtime', 'browser-153.0.0');

/**
 * Launches the browser that npm has installed; it takes some seconds to unpack, once per checkout. The arguments of its
 * own package are not all used, because some hide violations of content security policies and crash it.
 */
export function launchBrowser(): Promise<Browser> {
  if (!existsSync(folder)) execFileSync(process.execPath, [unpackScript, folder], { stdio: 'inherit' });
  return chromium.launch({
    executablePath: path.join(folder, 'chromium'),
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
  });
}
