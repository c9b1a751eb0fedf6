// The set-up in its order; each part does nothing when it is already there.
import { ensureBuilt } from './build.mjs';
import { ensureDependencies } from './dependencies.mjs';
import { ensureRuntime } from './runtime.mjs';

export async function ensureTools() {
  const runtime = await ensureRuntime();
  await ensureDependencies(runtime);
  return runtime;
}

export async function ensureAll() {
  const runtime = await ensureTools();
  await ensureBuilt(runtime);
  return runtime;
}
