import { Prisma } from './generated/sqlite/client';

/** Removes the value of a JSON column; a plain `null` would be ambiguous there. */
export const noJson: typeof Prisma.DbNull = Prisma.DbNull;
