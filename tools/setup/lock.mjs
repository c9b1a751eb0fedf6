// One set-up at a time per checkout. A lock is a folder with its owner inside, so that taking it is one rename, and a
// lock whose owner is gone is taken over.
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { runtimeFolder, SetupError } from './workspace.mjs';

const lockFolder = path.join(runtimeFolder, 'setup.lock');
const takeoverFolder = path.join(runtimeFolder, 'setup.lock-takeover');
const heartbeatMs = 5_000;
const silentAfterMs = 120_000;
const takeoverIsStaleAfterMs = 10_000;
const waitLimitMs = 20 * 60_000;
const pollMs = 200;

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

function tryToTake() {
  const candidate = `${lockFolder}-${process.pid}`;
  makeFolder(runtimeFolder);
  makeFolder(candidate);
  writeFileSync(path.join(candidate, 'owner.json'), JSON.stringify({ pid: process.pid, host: hostname() }));
  try {
    renameSync(candidate, lockFolder);
    return true;
  } catch (error) {
    rmSync(candidate, { recursive: true, force: true });
    if (['EEXIST', 'ENOTEMPTY', 'EPERM'].includes(error.code)) return false;
    throw error;
  }
}

// Not recursive: that hides a read-only file system behind "no such file".
function makeFolder(folder) {
  try {
    mkdirSync(folder);
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** The owner of the lock, or undefined when it was given back in this very moment. */
function readOwner() {
  try {
    const owner = JSON.parse(readFileSync(path.join(lockFolder, 'owner.json'), 'utf8'));
    return { ...owner, silentMs: Date.now() - statSync(lockFolder).mtimeMs };
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

const isGone = (owner) => owner.silentMs > silentAfterMs || (owner.host === hostname() && !isAlive(owner.pid));

// Two waiters may see the same dead owner; without this second lock the slower one would remove the faster one's lock.
function removeStaleLock() {
  try {
    mkdirSync(takeoverFolder);
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    const age = Date.now() - (statSync(takeoverFolder, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age > takeoverIsStaleAfterMs) rmSync(takeoverFolder, { recursive: true, force: true });
    return;
  }
  try {
    const owner = readOwner();
    if (owner && isGone(owner)) rmSync(lockFolder, { recursive: true, force: true });
  } finally {
    rmSync(takeoverFolder, { recursive: true, force: true });
  }
}

async function take() {
  const deadline = Date.now() + waitLimitMs;
  let waitsFor;
  while (!tryToTake()) {
    const owner = readOwner();
    if (owner && isGone(owner)) removeStaleLock();
    else if (owner && owner.pid !== waitsFor) {
      waitsFor = owner.pid;
      process.stderr.write(`weir: waiting for the set-up that process ${owner.pid} is doing …\n`);
    }
    if (Date.now() > deadline) throw new SetupError(`another set-up did not end in time; its lock is ${lockFolder}`);
    await pause(pollMs);
  }
}

/** Runs `work` while this process holds the lock of the checkout. */
export async function withLock(work) {
  await take();
  const release = () => rmSync(lockFolder, { recursive: true, force: true });
  const heartbeat = setInterval(() => utimesSync(lockFolder, new Date(), new Date()), heartbeatMs);
  process.once('exit', release);
  try {
    return await work();
  } finally {
    clearInterval(heartbeat);
    process.removeListener('exit', release);
    release();
  }
}
