/** The two kinds of keys: the trainer's, and that of one session. */
export const keyKinds = ['admin', 'session'] as const;
export type KeyKind = (typeof keyKinds)[number];

export const forAdmin = ['admin'] as const;
export const forBoth = ['admin', 'session'] as const;
