import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { compareOutlines } from './compare-outlines';
import { shrinkPicture } from './shrink-picture';

const root = path.resolve(__dirname, '../../..');
const kept = path.join(root, 'docs/images/interface');
/** Where a picture goes that differs from the kept one. */
const rejected = path.join(root, '.nx/pictures');
/** Times, durations and fonts differ, panels do not. */
const maxDifferentShare = 0.1;

const maxTries = 4;
const betweenPicturesMs = 150;

/** With `WEIR_UPDATE_PICTURES=1`, the pictures in the documentation are replaced instead of compared. */
const isUpdate = process.env.WEIR_UPDATE_PICTURES === '1';

/** Replaces the picture in the documentation, where that is asked for. */
export async function keepPicture(page: Page, name: string): Promise<void> {
  if (!isUpdate) return;
  mkdirSync(kept, { recursive: true });
  writeFileSync(fileOf(name), shrinkPicture(await page.screenshot()));
}

/**
 * Compares what the page shows with the picture in the documentation. Returns one line if it is another one, and
 * nothing otherwise.
 */
export async function comparePicture(page: Page, name: string): Promise<readonly string[]> {
  if (isUpdate) return [];
  const file = fileOf(name);
  const picture = await page.screenshot();
  const share = existsSync(file) ? compareOutlines(picture, readFileSync(file)) : 1;
  if (share <= maxDifferentShare) return [];
  mkdirSync(rejected, { recursive: true });
  writeFileSync(path.join(rejected, `${name}.png`), picture);
  return [`${name}: ${Math.round(share * 100)} % of the picture differ from ${path.relative(root, file)}`];
}

const fileOf = (name: string): string => path.join(kept, `${name}.png`);

/** Waits until the page no longer changes, but not for ever: some show the time. */
export async function waitForStill(page: Page): Promise<void> {
  let picture = await page.screenshot();
  for (let tries = 0; tries < maxTries; tries += 1) {
    await page.waitForTimeout(betweenPicturesMs);
    const next = await page.screenshot();
    if (next.equals(picture)) return;
    picture = next;
  }
}
