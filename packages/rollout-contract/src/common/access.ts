/**
 * The kinds of keys: the trainer's, one for those who only look, and that of one session. A browser that has signed in
 * may do what a reader may.
 */
export const keyKinds = ['admin', 'reader', 'session'] as const;
export type KeyKind = (typeof keyKinds)[number];

export const forAdmin = ['admin'] as const;
export const forReaders = ['admin', 'reader'] as const;
export const forSession = ['admin', 'session'] as const;
export const forEveryKey = ['admin', 'reader', 'session'] as const;
