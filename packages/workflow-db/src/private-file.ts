import { closeSync, mkdirSync, openSync } from 'node:fs';
import path from 'node:path';

const ownerOnlyFile = 0o600;
const ownerOnlyFolder = 0o700;

/** Creates the file and its parent folders if they are missing, readable by their owner only. */
export function createPrivateFile(file: string): void {
  mkdirSync(path.dirname(file), { recursive: true, mode: ownerOnlyFolder });
  closeSync(openSync(file, 'a', ownerOnlyFile));
}
