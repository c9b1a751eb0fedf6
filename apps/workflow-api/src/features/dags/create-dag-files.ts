import type { Logger } from '@weir/service-kit';
import type { ScheduleTimes } from '@weir/workflow-spec/schedule';
import type { Clock } from '@weir/workflow-engine/model';
import type { RandomSource } from '../../adapters/random-source';
import { createSpecReader, hidingUnread, type CheckDag, type DagParsers, type SpecReader } from '../../dag-parser';
import { createRevisionLog, type DagRevisionRepository, type RevisionLog } from '../dag-revisions';
import { createBaseConfigs, type BaseConfigLocations } from './base-configs';
import { DagCatalog } from './dag-catalog';
import { createDagFileStore, type DagFileStore } from './dag-file-store';
import type { DagFlagRepository } from './dag-flag-repository';
import { createNameLocks, type NameLocks } from './name-locks';
import { createSuspensions, type Suspensions } from './suspensions';

export interface DagFilesPorts {
  readonly baseConfig: BaseConfigLocations;
  readonly parsers: DagParsers;
  readonly flags: DagFlagRepository;
  readonly dagRevisions: DagRevisionRepository;
  /** Limits the revisions of a DAG that are kept. */
  readonly maxRevisions: number;
  /** Finds what only the server knows to be wrong with a DAG. */
  readonly check: CheckDag;
  /** Calculates when schedules are due. */
  readonly times: ScheduleTimes;
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly logger: Logger;
}

/** The DAG files of one folder, their specs and their index. */
export interface DagFiles {
  readonly store: DagFileStore;
  /** Reads specs for requests. */
  readonly specs: SpecReader;
  /** Reads specs for the server itself, ahead of waiting requests. */
  readonly serverSpecs: SpecReader;
  readonly suspensions: Suspensions;
  /** This process makes the changes of one file one after another. */
  readonly locks: NameLocks;
  readonly revisions: RevisionLog;
  /** The catalog is empty until it is started. */
  readonly catalog: DagCatalog;
  /** Whether the folder has a file of this name. */
  has(fileName: string): Promise<boolean>;
}

export function createDagFiles(ports: DagFilesPorts): DagFiles {
  const { baseConfig, parsers, flags, times, clock, random, logger } = ports;
  const store = createDagFileStore({ folder: baseConfig.dagsFolder, random });
  const base = createBaseConfigs(baseConfig);
  const suspensions = createSuspensions({ flags, clock });
  const serverSpecs = hidingUnread(createSpecReader(parsers.forServer, base, ports.check));
  const specs = hidingUnread(createSpecReader(parsers.forRequests, base, ports.check));
  return {
    store,
    specs,
    locks: createNameLocks(),
    revisions: createRevisionLog({
      ...ports,
      readFile: (name) => store.read(name),
      readWorkspace: async (name, text) => (await specs.parse(text, { name })).dag.workspace,
    }),
    serverSpecs,
    suspensions,
    catalog: new DagCatalog({ store, specs: serverSpecs, base, suspensions, times, clock, logger }),
    has: async (fileName) => (await store.readMark(fileName)) !== undefined,
  };
}
