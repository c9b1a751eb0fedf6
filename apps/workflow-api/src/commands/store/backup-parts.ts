import { z } from 'zod';

/** Begins the name of the folder in an archive that has the copy of the database and the manifest. */
export const partsFolderPrefix = '.weir-backup-';

export const Manifest = z.object({
  format: z.literal(1),
  /** Of the program that wrote the archive. */
  version: z.string(),
  createdAt: z.iso.datetime(),
});
export type Manifest = z.output<typeof Manifest>;
