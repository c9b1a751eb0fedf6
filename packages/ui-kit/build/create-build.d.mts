import type { UserConfig } from 'vite';

/** The options of Vite for an interface; `proxy` says where the addresses of the server are while it is developed. */
export function createBuild(proxy: Readonly<Record<string, string>>): UserConfig;
