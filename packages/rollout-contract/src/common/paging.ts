import { z } from 'zod';

/** Asks for the page after another one. */
export const cursor = z.string().max(128).optional().describe('`next_cursor` of the page before.');

/** In an answer: what to ask for next. */
export const nextCursor = z.string().nullable().describe('For the next page; null at the end.');
