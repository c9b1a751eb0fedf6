import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { AppError, isSystemError } from '@weir/errors';
import { hasErrors, parseBaseConfig, type Finding } from '@weir/workflow-spec';
import type { RandomSource } from '../../adapters/random-source';
import { createFile, createNameLocks, getSystemCode, readDagFileAnywhere, replaceFile, specInvalid } from '../dags';
import { assertRevision, toEntityTag } from '../entity-tag';

export interface BaseConfigDependencies {
  readonly file: string;
  readonly random: RandomSource;
}

export interface BaseConfigView {
  readonly text: string;
  readonly entityTag: string;
  readonly findings: readonly Finding[];
  /** Why the file cannot be read, for people. */
  readonly problem: string | undefined;
}

export type BaseConfigService = ReturnType<typeof createBaseConfigService>;

/** Reads and replaces the base configuration of all DAGs. */
export function createBaseConfigService({ file, random }: BaseConfigDependencies) {
  const locks = createNameLocks();
  const read = async (): Promise<BaseConfigView & { readonly isMissing: boolean }> => {
    const found = await readDagFileAnywhere(file);
    const text = found?.kind === 'text' ? found.text : '';
    return {
      ...{ text, entityTag: toEntityTag(text), findings: parseBaseConfig(text).findings },
      problem: found?.kind === 'unreadable' ? found.problem : undefined,
      isMissing: found === undefined,
    };
  };
  const write = async (text: string, isMissing: boolean): Promise<void> => {
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
  };
  return {
    read: (): Promise<BaseConfigView> => read(),

    /** Throws `spec_invalid`, `revision_changed` or `base_config_not_writable`. */
    replace: (text: string, ifMatch: string | undefined) =>
      locks.run(file, async () => {
        const current = await read();
        assertRevision(ifMatch, current.entityTag);
        const { findings } = parseBaseConfig(text);
        if (hasErrors(findings)) throw specInvalid(findings);
        await write(text, current.isMissing);
        return { findings, entityTag: toEntityTag(text) };
      }),
  };
}
