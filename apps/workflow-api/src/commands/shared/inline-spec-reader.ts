import type { Config } from '../../config';
import { createInlineParser, createSpecReader, type SpecReader } from '../../dag-parser';
import { createBaseConfigs } from '../../features/dags';

/** Reads DAGs as this installation does, on the calling thread: a command has nothing else to do. */
export function createInlineSpecReader({ baseConfig, dags }: Pick<Config, 'baseConfig' | 'dags'>): SpecReader {
  return createSpecReader(createInlineParser(), createBaseConfigs({ ...baseConfig, dagsFolder: dags.folder }));
}
