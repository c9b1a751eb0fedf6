import type { MailServer } from '../../model/mail';
import { compact } from '../../model/compact';
import { keySpec, objectKind } from '../../shapes/object-kind';
import { objectShape } from '../../shapes/read-object';
import { readText, type Reader } from '../../shapes/readers';
import { shape } from '../../shapes/shape';
import { fingerprint } from '../../shapes/settings/setting-shapes';
import { nonEmptyText, hasReference, reportInvalid, text } from '../../shapes/shapes';

const lastPort = 65_535;

/** The port is a string, because it may be a reference. */
const readPort: Reader<string> = (value) => {
  const port = readText(value);
  if (port === undefined || hasReference(value)) return port;
  const isPort = /^\d{1,5}$/.test(port) && Number(port) >= 1 && Number(port) <= lastPort;
  return isPort ? port : reportInvalid(value, `must be a port, from 1 to ${lastPort}`);
};

const serverKind = objectKind({
  title: 'smtp',
  keys: {
    host: keySpec('Host of the mail server; localhost by default', nonEmptyText),
    port: keySpec(
      'Port of the mail server',
      shape(readPort, {
        anyOf: [
          { type: 'integer', minimum: 1, maximum: lastPort },
          { type: 'string', pattern: '^\\d{1,5}$|\\$' },
        ],
      }),
    ),
    username: keySpec('User name', text),
    password: keySpec('Password', text),
    tls_cert_sha256: keySpec('SHA-256 of the only certificate that is accepted, whoever signed it', fingerprint),
  },
});

/** All values may contain references. */
export const mailServer = objectShape(
  serverKind,
  ({ host, port, username, password, tls_cert_sha256 }): MailServer | undefined => {
    if (host && host.value === undefined) return undefined;
    const more = {
      port: port?.value,
      username: username?.value,
      password: password?.value,
      tlsCertSha256: tls_cert_sha256?.value,
    };
    return { host: host?.value ?? 'localhost', ...compact(more) };
  },
);
