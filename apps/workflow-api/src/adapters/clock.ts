import type { Clock } from '@weir/workflow-engine';

export const systemClock: Clock = { now: () => new Date() };
