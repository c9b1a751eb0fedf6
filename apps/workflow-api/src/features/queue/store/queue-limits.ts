import { z } from 'zod';

const maxSlots = 10_000;
const queuePattern = /^([A-Za-z0-9_.-]{1,64})=([1-9]\d{0,4})$/;

/** `reports=2,etl=4`: the number of slots of each named queue. */
export const QueueLimits = z.string().transform((text, context): ReadonlyMap<string, number> => {
  const limits = new Map<string, number>();
  for (const entry of text.split(',').flatMap((part) => part.trim() || [])) {
    const [, name = '', slots = ''] = queuePattern.exec(entry) ?? [];
    if (name === '' || Number(slots) > maxSlots) {
      context.addIssue({ code: 'custom', message: 'must be comma-separated entries such as reports=2' });
    } else if (limits.has(name)) {
      context.addIssue({ code: 'custom', message: `names the queue ${name} twice` });
    }
    limits.set(name, Number(slots));
  }
  return limits;
});
