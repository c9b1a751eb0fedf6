import { isIP } from 'node:net';
import { AppError } from '@weir/foundation';
import { Secret, type Variables, type VariableValues } from '@weir/service-kit';
import { z } from 'zod';

export interface AliveTarget {
  readonly url: Secret;
  readonly intervalMs: number;
}

/** The server that sends mails about events; `from` is their sender. */
export interface EventMailServer {
  readonly host: string;
  readonly port: string;
  readonly username: string | undefined;
  readonly password: Secret | undefined;
  readonly from: string;
}

/** Settings for sending events, and for calling the monitor of this server. */
export const eventTargetVariables = {
  WEIR_PUBLIC_URL: {
    schema: z
      .url({ protocol: /^https?$/ })
      .max(2000)
      .refine((url) => !/[?#@]/.test(url), 'must be an address without an account, a query and a fragment')
      .optional(),
    defaultText: 'none',
    description:
      'Address at which people reach this server, with its base path: `https://weir.example.com`. Events link to it, and chat clients sign in with it.',
  },
  WEIR_EVENT_NETWORKS: {
    schema: z
      .string()
      .transform((text) => text.split(',').flatMap((part) => (part.trim() === '' ? [] : [part.trim()])))
      .pipe(z.array(z.string().refine(isNetwork, 'must be a list of networks such as 10.0.0.0/8')))
      .default([]),
    defaultText: 'none',
    description:
      'Networks, separated by commas, to which events of runs may be sent although they are not public: `10.1.0.0/16,fd00::/8`.',
  },
  WEIR_SMTP_HOST: {
    schema: z.string().min(1).max(255).optional(),
    defaultText: 'none',
    description: 'Mail server for events that are sent as mails. Mails of DAGs have `smtp` of their own.',
  },
  WEIR_SMTP_PORT: {
    schema: z.coerce.number().int().min(1).max(65_535).default(587),
    defaultText: '`587`',
    description: 'Its port; 465 is encrypted from the first byte.',
  },
  WEIR_SMTP_USERNAME: {
    schema: z.string().min(1).max(320).optional(),
    defaultText: 'none',
    description: 'Account there. It is used over an encrypted connection only, or on this machine.',
  },
  WEIR_SMTP_PASSWORD: {
    schema: z.string().min(1).max(4096).optional(),
    defaultText: 'none',
    description: 'Password of the account.',
  },
  WEIR_SMTP_FROM: {
    schema: z.string().min(3).max(320).optional(),
    defaultText: 'the account',
    description: 'Sender of these mails: `Weir <weir@example.org>`.',
  },
  WEIR_ALIVE_URL: {
    schema: z
      .url({ protocol: /^https?$/ })
      .max(2000)
      .optional(),
    defaultText: 'none',
    description:
      "Address that is called with POST while the database answers and the scheduler settles schedules: a dead-man's switch.",
  },
  WEIR_ALIVE_SECONDS: {
    schema: z.coerce.number().int().min(1).max(86_400).default(60),
    defaultText: '`60`',
    description: 'Pause between these calls.',
  },
} as const satisfies Variables;

export interface EventTargetConfig {
  readonly eventTargets: {
    /** The address of this server for people, without a slash at its end. */
    readonly publicUrl: string | undefined;
    readonly eventNetworks: readonly string[];
    readonly mailServer: EventMailServer | undefined;
    readonly alive: AliveTarget | undefined;
  };
}

export function readEventTargetConfig(values: VariableValues<typeof eventTargetVariables>): EventTargetConfig {
  const { WEIR_EVENT_NETWORKS: eventNetworks, WEIR_ALIVE_URL: url, WEIR_ALIVE_SECONDS: seconds } = values;
  const alive = url === undefined ? undefined : { url: new Secret(url), intervalMs: seconds * 1000 };
  const publicUrl = values.WEIR_PUBLIC_URL?.replace(/\/+$/, '');
  return { eventTargets: { publicUrl, eventNetworks, mailServer: readMailServer(values), alive } };
}

function readMailServer(values: VariableValues<typeof eventTargetVariables>): EventMailServer | undefined {
  const { WEIR_SMTP_HOST: host, WEIR_SMTP_PORT: port } = values;
  const { WEIR_SMTP_USERNAME: username, WEIR_SMTP_PASSWORD: password, WEIR_SMTP_FROM: from = username } = values;
  if (host === undefined) return undefined;
  if (from === undefined) throw new AppError('invalid_request', 'WEIR_SMTP_HOST needs WEIR_SMTP_FROM.');
  if ((username === undefined) !== (password === undefined))
    throw new AppError('invalid_request', 'WEIR_SMTP_USERNAME and WEIR_SMTP_PASSWORD are only of use together.');
  return {
    from,
    host,
    port: String(port),
    username,
    password: password === undefined ? undefined : new Secret(password),
  };
}

function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  return (
    version !== 0 && rest.length === 0 && /^\d{1,3}$/.test(bits ?? '') && Number(bits) <= (version === 4 ? 32 : 128)
  );
}
