import { z } from 'zod';

// Clients use ids in URLs, log lines and file names.
// oxlint-disable-next-line no-control-regex -- control characters are what is refused
const plain = /^[^\u0000-\u001f\u007f]*$/;

export const maxTaskIdLength = 256;

export const taskId = z.string().max(maxTaskIdLength).regex(plain, 'must not contain control characters');
export const sessionId = z.string().min(1).max(300).describe('Id of the session.');
export const interactionId = z.string().min(1).max(256);
/** Printable ASCII without spaces, which a header can contain. */
export const sessionKey = z
  .string()
  .min(16)
  .max(256)
  .regex(/^[\x21-\x7e]+$/, 'must be printable ASCII without spaces');
