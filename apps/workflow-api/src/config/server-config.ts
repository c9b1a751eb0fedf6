import { isIP } from 'node:net';
import type { Variables, VariableValues } from '@weir/service-kit';
import { z } from 'zod';
import { roles, type Role } from '../roles';

const hostEntry = /^(?:\*|\.?[a-z0-9_-]+(?:\.[a-z0-9_-]+)*)$/;

/** Addresses and networks of reverse proxies. */
export const proxyEntries = z
  .string()
  .transform((text) => text.split(',').map((entry) => entry.trim()))
  .pipe(z.array(z.string().refine(isProxyEntry, 'must be a list of addresses, networks, or the word loopback')));

/** Settings for the address of the server, and for the roles of this process. */
export const serverVariables = {
  WEIR_COMPAT: {
    schema: z.enum(['dagu'], 'must be dagu').optional(),
    defaultText: 'none',
    description:
      '`dagu` makes the program understand the variables, commands and flags of Dagu; see docs/compatibility.md.',
  },
  WEIR_HOST: {
    schema: z.string().min(1).default('127.0.0.1'),
    defaultText: '`127.0.0.1`',
    description: 'Address to listen on.',
  },
  WEIR_PORT: {
    schema: z
      .string()
      .regex(/^\d{1,5}$/, 'must be a port number')
      .transform(Number)
      .pipe(z.number().max(65_535))
      .default(8080),
    defaultText: '`8080`',
    description: 'Port to listen on; 0 takes any free one.',
  },
  WEIR_BASE_PATH: {
    schema: z
      .string()
      .regex(/^(\/[A-Za-z0-9._~-]+)*\/?$/, 'must be a path such as /weir')
      .default(''),
    defaultText: 'empty',
    description: 'Prefix of every path: with `/weir` the API is below `/weir/api/v1`.',
  },
  WEIR_UI: {
    schema: z
      .enum(['on', 'off'], 'must be on or off')
      .default('on')
      .transform((text) => text === 'on'),
    defaultText: '`on`',
    description: 'With `off`, the web interface is not served.',
  },
  WEIR_ALLOWED_HOSTS: {
    schema: z
      .string()
      .transform((text) => text.split(',').flatMap((entry) => entry.trim().toLowerCase() || []))
      .pipe(
        z.array(
          z.string().regex(hostEntry, 'must be comma-separated names such as weir.example.com, .example.com or *'),
        ),
      )
      .default([]),
    defaultText: 'none',
    description:
      'Names by which clients reach this server, separated by commas; `.example.com` stands for all names below it, `*` for any. Addresses, loopback names and `WEIR_HOST` are always allowed; requests to other names get 403.',
  },
  WEIR_TRUSTED_PROXIES: {
    schema: proxyEntries.default([]),
    defaultText: 'none',
    description:
      'Addresses or networks of reverse proxies whose `X-Forwarded-For` is trusted, separated by commas. Without it, all clients behind a proxy share one limit of failed logins.',
  },
  WEIR_ROLES: {
    schema: z
      .string()
      .transform((text) => text.split(',').map((entry) => entry.trim()))
      .pipe(z.array(z.enum(roles, `must be a comma-separated list of ${roles.join(', ')}`)).min(1))
      .default([...roles]),
    defaultText: '`api,scheduler,worker`',
    description:
      'What `start-all` does in this process: serve the API, follow schedules, execute runs. Processes with different roles need a PostgreSQL database.',
  },
} as const satisfies Variables;

export interface ServerConfig {
  /** The roles of `start-all`; other commands have roles of their own. */
  readonly roles: readonly Role[];
  readonly host: string;
  readonly port: number;
  /** The path has no trailing slash; it is empty for none. */
  readonly basePath: string;
  readonly hasUserInterface: boolean;
  /** The names are in lower case. */
  readonly allowedHosts: readonly string[];
  readonly trustedProxies: readonly string[];
}

export function readServerConfig(values: VariableValues<typeof serverVariables>): ServerConfig {
  return {
    roles: values.WEIR_ROLES,
    host: values.WEIR_HOST,
    port: values.WEIR_PORT,
    basePath: values.WEIR_BASE_PATH.replace(/\/$/, ''),
    hasUserInterface: values.WEIR_UI,
    allowedHosts: values.WEIR_ALLOWED_HOSTS,
    trustedProxies: values.WEIR_TRUSTED_PROXIES,
  };
}

/** Accepts only what Express takes as a trusted proxy; Express would fail on other entries without naming the variable. */
function isProxyEntry(entry: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(entry)) return true;
  const [address = '', bits, ...rest] = entry.split('/');
  const version = address.includes('%') ? 0 : isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}
