import path from 'node:path';
import { AppError } from '@weir/foundation';
import { formatFinding, hasErrors } from '@weir/workflow-spec';
import { unaudited } from '../../access/audited-operation';
import type { RunRetrier, RunStopper, StartRun, WaitForRun } from '../runs';
import type { DagParsers } from '../../dag-parser';
import { findRunTarget, readDagFileAnywhere, type DagFiles } from '../dags';
import { specInvalid } from '../../dag-parser/spec-errors';
import type { StoredChildRuns } from './child-placement';

export interface ChildRunPorts {
  readonly files: Pick<DagFiles, 'store' | 'serverSpecs'>;
  readonly startRun: StartRun;
  readonly waitForRun: WaitForRun;
  readonly retrier: RunRetrier;
  readonly stopper: RunStopper;
  /** Parses the DAGs of packages. */
  readonly parsers: Pick<DagParsers, 'forServer'>;
}

/** Stores the runs that steps start. */
export function createChildRuns({
  files,
  startRun,
  waitForRun,
  retrier,
  stopper,
  parsers,
}: ChildRunPorts): StoredChildRuns {
  return {
    findDag: async (text, folder) => {
      const { store, serverSpecs: specs } = files;
      const target = await findRunTarget(text, { store, specs, workingDirectory: folder });
      if (hasErrors(target.findings)) throw specInvalid(target.findings);
      return target;
    },
    readPackage: async ({ folder, manifest }) => {
      const file = path.join(folder, manifest.dag);
      const found = await readDagFileAnywhere(file);
      if (found?.kind !== 'text') throw packageUnreadable(manifest.name, found?.problem ?? 'there is no such file');
      const { dag, findings } = await parsers.forServer.parse(found.text, {
        name: `action.${manifest.name}`,
        overrideName: true,
        bases: [{ label: 'of the package', text: packageBase(folder) }],
      });
      const [error] = findings.filter(({ severity }) => severity === 'error').map(formatFinding);
      if (error !== undefined) throw packageUnreadable(manifest.name, error);
      return { dag, specText: found.text, baseTexts: [packageBase(folder)], fileName: file };
    },
    start: (source, options) => startRun(source, { ...options, audit: unaudited }),
    retry: async (run, ownerId) => {
      await retrier.retry(run, unaudited, ownerId === undefined ? {} : { ownerId });
    },
    waitFor: waitForRun,
    stop: async (id) => {
      await stopper.requestStop(id, unaudited);
    },
  };
}

/** Leaves out the base configuration of this installation, which may hold secrets, and adds the folder of the package. */
function packageBase(folder: string): string {
  return JSON.stringify({ working_dir: folder });
}

function packageUnreadable(name: string, problem: string): AppError {
  const message = `The DAG of the packaged action "${name}" cannot be run: ${problem}.`;
  return new AppError('invalid_request', message, { reason: 'packaged_action_refused' });
}
