import { appendFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { createRecordingLogger, type RecordingLogger } from '@weir/test-kit';
import type { StoredRun } from '@weir/workflow-engine/model';
import { aRun, aRunStep } from '@weir/workflow-engine/testing';
import type { ClaimedFiles, RunFiles } from '..';

export interface ClaimedRun {
  readonly logs: string;
  readonly artifacts: string;
  readonly logger: RecordingLogger;
  readonly files: ClaimedFiles;
  /** Appends text to a log of the run, which is created. */
  print(name: string, text: string): void;
  writeArtifact(name: string, text: string): void;
  readonly stopping: AbortController;
}

/** Returns the folders of a run with this id below a folder. */
export function runFoldersIn(root: string, id: string) {
  const name = path.join('nightly', `20261121T093000123Z_${id}`);
  return { logs: path.join(root, 'logs', name), artifacts: path.join(root, 'artifacts', name) };
}

/** Creates a run whose step is running, and claims its files like a worker. */
export async function claimRun(
  runFiles: RunFiles,
  { root, id, token = 1 }: { readonly root: string; readonly id: string; readonly token?: number },
): Promise<ClaimedRun> {
  const { logs, artifacts } = runFoldersIn(root, id);
  const stored: StoredRun = {
    run: aRun({ id, logFile: path.join(logs, 'run.log'), artifactsDir: artifacts }),
    nodes: [
      aRunStep({ status: 'running', stdoutFile: path.join(logs, 'a.out'), stderrFile: path.join(logs, 'a.err') }),
      aRunStep({ position: 1, status: 'succeeded', stderrFile: path.join(logs, 'b.err') }),
    ],
  };
  const logger = createRecordingLogger();
  const stopping = new AbortController();
  const claim = { token, load: () => Promise.resolve(stored), stopping: stopping.signal, logger };
  const files = await runFiles.claim(claim);
  mkdirSync(artifacts, { recursive: true });
  const append = (file: string, text: string): void => {
    mkdirSync(path.dirname(file), { recursive: true });
    appendFileSync(file, text);
  };
  return {
    logs,
    artifacts,
    logger,
    files,
    stopping,
    print: (name, text) => append(path.join(logs, name), text),
    writeArtifact: (name, text) => append(path.join(artifacts, name), text),
  };
}
