import { z } from 'zod';

/** The folder with the manifest and the copy of the database has a name with this prefix in an archive. */
export const partsFolderPrefix = '.weir-backup-';

export const Manifest = z.object({
  format: z.literal(1),
  /** The version of the program that wrote the archive. */
  version: z.string(),
  createdAt: z.iso.datetime(),
});
export type Manifest = z.output<typeof Manifest>;
