import type { Clock } from '@weir/workflow-engine/model';

export const systemClock: Clock = { now: () => new Date() };
