import type { Part } from '../../model/compact';
import type { Step } from '../../model/step';
import type { StepLookup } from './step-lookup';

/** Parts of a step that name other steps: they are resolved once every step has its name. */
export type DeferredParts = (lookup: StepLookup) => Part<Step>;
