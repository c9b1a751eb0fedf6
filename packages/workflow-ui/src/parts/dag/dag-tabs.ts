/** The views of a DAG, in the order of their tabs; the first is shown where the address names none. */
export const dagTabs = ['overview', 'graph', 'spec', 'schedule', 'history', 'revisions', 'webhook'] as const;
export type DagTab = (typeof dagTabs)[number];
