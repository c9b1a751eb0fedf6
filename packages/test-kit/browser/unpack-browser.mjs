// Unpacks the browser of the npm package into the folder of its first argument, unless it is there.
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';

const [folder = ''] = process.argv.slice(2);
if (!existsSync(folder)) {
  const unfinished = `${folder}.${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  // The package unpacks below the folder of temporary files.
  process.env.TMPDIR = unfinished;
  const { default: chromium } = await import('@sparticuz/chromium');
  await chromium.executablePath();
  try {
    renameSync(unfinished, folder);
  } catch (error) {
    // Another process was faster.
    rmSync(unfinished, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
}
