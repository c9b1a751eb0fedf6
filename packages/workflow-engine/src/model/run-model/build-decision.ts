/** A step of a build came to its files in one of these ways. */
export const buildDecisions = ['up_to_date', 'restored', 'executed'] as const;
export type BuildDecision = (typeof buildDecisions)[number];
