/** The tasks of a server process. Processes that share a PostgreSQL database may each have roles of their own. */
export const roles = ['api', 'scheduler', 'worker'] as const;
export type Role = (typeof roles)[number];
