import type { AnswerStore, StoredAnswer } from '../features/idempotency';
import { databaseUnavailable, type Database } from './database';

const maxAnswers = 10_000;
/** Expired answers are deleted with one of so many that are stored. */
const writesBetweenCleaning = 100;

/** Answers that every replica repeats. */
export function createPostgresAnswers(database: Database): AnswerStore {
  let writes = 0;
  return {
    get: async (id) => {
      const { rows } = await database
        .query('SELECT stored FROM weir_rollout.answer WHERE id = $1 AND expires_at > now()', [id])
        .catch((error: unknown) => {
          throw databaseUnavailable(error);
        });
      // Only this file writes them.
      return rows[0]?.stored as StoredAnswer | undefined;
    },
    set: async (id, answer, expiresAtMs) => {
      await database.query(
        `INSERT INTO weir_rollout.answer (id, stored, expires_at) VALUES ($1, $2, to_timestamp($3::float8 / 1000))
         ON CONFLICT (id) DO UPDATE SET stored = excluded.stored, expires_at = excluded.expires_at`,
        [id, JSON.stringify(answer), expiresAtMs],
      );
      writes += 1;
      if (writes % writesBetweenCleaning === 1) await database.query(cleaning, [maxAnswers]);
    },
  };
}

const cleaning = `
DELETE FROM weir_rollout.answer WHERE expires_at <= now()
  OR number <= (SELECT number FROM weir_rollout.answer ORDER BY number DESC OFFSET $1 LIMIT 1)`;
