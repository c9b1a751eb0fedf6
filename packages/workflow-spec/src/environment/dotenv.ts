import { limits } from '../limits';
import { nonEmptyText, oneOrMany } from '../shapes/shapes';
import { transformShape } from '../shapes/shape';

const defaultFile = '.env';
const bound = { limit: limits.dotenvFiles, code: 'invalid_value', what: 'dotenv' } as const;

/** Environment files in the order they are read, `.env` before all others; an empty list turns them off. */
export const dotenv = transformShape(oneOrMany(nonEmptyText, bound), (files): readonly string[] =>
  files.length === 0 ? [] : [...new Set([defaultFile, ...files])],
);
