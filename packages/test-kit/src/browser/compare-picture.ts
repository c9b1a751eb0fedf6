import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { compareOutlines } from './compare-outlines';
import { shrinkPicture } from './shrink-picture';

const root = path.resolve(__dirname, '../../../..');
/** A picture that a page of the documentation shows is a baseline too, and is stored there. */
const shown = path.join(root, 'docs/images/interface');
/** The folder of pictures that are only for viewing: those without a baseline, and those that differ from it. */
const lookedAt = path.join(root, '.nx/pictures');
/** Times, durations and fonts differ, panels do not. */
const maxDifferentShare = 0.1;

const maxTries = 4;
const betweenPicturesMs = 150;

/** With `WEIR_UPDATE_PICTURES=1`, the kept pictures are replaced instead of compared. */
const isUpdate = process.env.WEIR_UPDATE_PICTURES === '1';

/** The file of the picture with this name; `folder` is that of the specs that compare it. */
export function pictureFile(folder: string, name: string): string {
  const file = path.join(shown, `${name}.png`);
  return existsSync(file) ? file : path.join(folder, `${name}.png`);
}

/** Replaces the kept picture if that is requested. A missing one is written for viewing. */
export async function keepPicture(page: Page, file: string, isCompared: boolean): Promise<void> {
  if (!isUpdate) return;
  const target = isCompared || existsSync(file) ? file : path.join(lookedAt, path.basename(file));
  mkdirSync(path.dirname(target), { recursive: true });
  writeFileSync(target, shrinkPicture(await page.screenshot()));
}

/** Compares the page with the kept picture. Returns one line if they differ, and nothing otherwise. */
export async function comparePicture(page: Page, file: string): Promise<readonly string[]> {
  if (isUpdate) return [];
  const picture = await page.screenshot();
  const share = existsSync(file) ? compareOutlines(picture, readFileSync(file)) : 1;
  if (share <= maxDifferentShare) return [];
  mkdirSync(lookedAt, { recursive: true });
  writeFileSync(path.join(lookedAt, path.basename(file)), picture);
  return [
    `${path.basename(file, '.png')}: ${Math.round(share * 100)} % of the picture differ from ${path.relative(root, file)}`,
  ];
}

/** Waits until the page no longer changes, but with a limit: some pages show the time. */
export async function waitForStill(page: Page): Promise<void> {
  let picture = await page.screenshot();
  for (let tries = 0; tries < maxTries; tries += 1) {
    await page.waitForTimeout(betweenPicturesMs);
    const next = await page.screenshot();
    if (next.equals(picture)) return;
    picture = next;
  }
}
