import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { AppError, isSystemError } from '@weir/foundation';
import { hasErrors, parseBaseConfig, type Finding } from '@weir/workflow-spec';
import type { Audited } from '../../access/audited-operation';
import type { RandomSource } from '../../adapters/random-source';
import type { Principal } from '../../access/principal';
import {
  createRevisionLog,
  createRevisionReader,
  type Comparison,
  type RevisionChange,
  type RevisionList,
  type RevisionLogDependencies,
} from '../dag-revisions';
import { createFile, createNameLocks, getSystemCode, readDagFileAnywhere, replaceFile } from '../dags';
import { specInvalid } from '../../dag-parser/spec-errors';
import { assertRevision, toEntityTag } from '../../http/entity-tag';

export interface BaseConfigDependencies extends Pick<
  RevisionLogDependencies,
  'dagRevisions' | 'maxRevisions' | 'clock'
> {
  readonly file: string;
  readonly random: RandomSource;
}

export interface BaseConfigView {
  readonly text: string;
  readonly entityTag: string;
  readonly findings: readonly Finding[];
  /** The reason why the file cannot be read, for people. */
  readonly problem: string | undefined;
}

export interface BaseConfigChange extends Audited {
  readonly principal: Pick<Principal, 'name'>;
  /** The revision that the change is for; without it, any revision. */
  readonly ifMatch: string | undefined;
}

export type BaseConfigService = ReturnType<typeof createBaseConfigService>;

/** Its revisions have this key, which no DAG has as a name. */
const revisionKey = '/base-config';

/** Reads and replaces the base configuration of all DAGs. Its revisions are stored like those of DAGs. */
export function createBaseConfigService(dependencies: BaseConfigDependencies) {
  const { file, dagRevisions } = dependencies;
  const locks = createNameLocks();
  const readFile = () => readDagFileAnywhere(file);
  const log = createRevisionLog({ ...dependencies, readFile, readWorkspace: () => Promise.resolve(undefined) });
  const reader = createRevisionReader(dagRevisions);

  const read = async (): Promise<BaseConfigView & { readonly isMissing: boolean }> => {
    const found = await readFile();
    const text = found?.kind === 'text' ? found.text : '';
    return {
      text,
      entityTag: toEntityTag(text),
      findings: parseBaseConfig(text).findings,
      problem: found?.kind === 'unreadable' ? found.problem : undefined,
      isMissing: found === undefined,
    };
  };
  const replace = (text: string, change: RevisionChange, { principal, audit, ifMatch }: BaseConfigChange) =>
    locks.run(file, async () => {
      const { entityTag, isMissing } = await read();
      assertRevision(ifMatch, entityTag);
      const { findings } = parseBaseConfig(text);
      if (hasErrors(findings)) throw specInvalid(findings);
      const revision = { change, author: principal.name, state: { text, workspace: undefined } };
      await log.change(revisionKey, revision, () => writeBaseConfig(dependencies, text, isMissing));
      await audit.record({ before: { entityTag }, after: { entityTag: toEntityTag(text) } });
      return { findings, entityTag: toEntityTag(text) };
    });
  /** Changes from outside of the server are recorded before the list is read. */
  const list = async (): Promise<RevisionList> => {
    await locks.run(file, () => log.observe(revisionKey));
    const revisions = await dagRevisions.list(revisionKey);
    return { subject: 'The base configuration', label: path.basename(file), revisions };
  };

  return {
    read: (): Promise<BaseConfigView> => read(),
    list,

    /** Throws `spec_invalid`, `revision_changed` or `base_config_not_writable`. */
    replace: (text: string, change: BaseConfigChange) => replace(text, 'changed', change),

    /** The following operations also throw `revision_not_found`. */
    get: async (revision: string) => reader.get(await list(), revision),
    compare: async (comparison: Comparison) => reader.compare(await list(), comparison),

    /** Where the file was removed, the text of the revision is empty. */
    restore: async (revision: string, change: BaseConfigChange) =>
      replace((await reader.get(await list(), revision)).text, 'restored', change),
  };
}

async function writeBaseConfig({ file, random }: BaseConfigDependencies, text: string, isMissing: boolean) {
  const draft = `.${random.uuid()}.tmp`;
  try {
    await mkdir(path.dirname(file), { recursive: true });
    await (isMissing ? createFile(file, text, draft) : replaceFile(file, text, draft));
  } catch (error) {
    if (!isSystemError(error, 'EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT', 'ENOTDIR')) throw error;
    throw new AppError('unavailable', `The file ${file} cannot be written to (${getSystemCode(error)}).`, {
      reason: 'base_config_not_writable',
      cause: error,
    });
  }
}
