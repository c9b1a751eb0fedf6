import { limits } from '../../model/limits';
import { nonEmptyText, oneOrMany } from '../../shapes/shapes';
import { transformShape } from '../../shapes/shape';

const defaultFile = '.env';
const bound = { limit: limits.dotenvFiles, code: 'invalid_value', what: 'dotenv' } as const;

/** The files in the order they are read, `.env` first; an empty list disables all of them. */
export const dotenv = transformShape(oneOrMany(nonEmptyText, bound), (files): readonly string[] =>
  files.length === 0 ? [] : [...new Set([defaultFile, ...files])],
);
