import path from 'node:path';
import {
  createInstalledTools,
  createNpmDriver,
  createPackageProgram,
  createPipDriver,
  installFromUrl,
  type Clock,
  type FileLocks,
  type RunPorts,
  type ToolInstaller,
} from '@weir/workflow-engine';

interface ToolSources extends Pick<RunPorts, 'commands' | 'hostEnv'> {
  readonly home: string;
  readonly dataFolder: string;
  readonly locks: FileLocks;
  readonly clock: Clock;
  readonly maxAgeMs: number;
}

/** Stores the tools of DAGs in a folder that isolated steps can see too. */
export function createTools({
  home,
  dataFolder,
  locks,
  commands,
  hostEnv,
  clock,
  maxAgeMs,
}: ToolSources): ToolInstaller {
  const run = createPackageProgram(commands, hostEnv);
  return createInstalledTools({
    folder: path.join(home, 'tools'),
    records: path.join(dataFolder, 'tools'),
    locks,
    drivers: { url: installFromUrl, npm: createNpmDriver(run), pip: createPipDriver(run) },
    clock,
    maxAgeMs,
  });
}
