import { Prisma } from './generated/sqlite/client';

/** What takes the value of a JSON column away; a plain `null` would be ambiguous there. */
export const noJson: typeof Prisma.DbNull = Prisma.DbNull;
