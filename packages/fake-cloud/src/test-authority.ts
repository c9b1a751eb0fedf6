import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { temporaryFolder } from '@weir/test-kit';
import { der } from './der';

export interface TestAuthority {
  /** PEM. */
  readonly certificate: string;
  /** A file with the certificate, for `NODE_EXTRA_CA_CERTS`, `REQUESTS_CA_BUNDLE` and similar variables. */
  readonly file: string;
  /** A server key and certificate for these host names (also `*.example.com`), valid for a week. */
  readonly issue: (hosts: readonly string[]) => { readonly key: string; readonly cert: string };
  /** Removes the file. */
  readonly remove: () => Promise<void>;
}

/**
 * A certificate authority for one spec. Its private key is never stored, so its certificate is harmless after the spec.
 */
export function createTestAuthority(): TestAuthority {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const issuer = { name: 'Weir test authority', publicKey, privateKey };
  const certificate = certify({ name: issuer.name, publicKey, issuer, extensions: authorityExtensions() });
  const folder = temporaryFolder('weir-authority-');
  const file = folder.file('authority.pem');
  writeFileSync(file, certificate);
  return {
    certificate,
    file,
    issue: (hosts) => {
      const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const extensions = serverExtensions(hosts);
      const cert = certify({ name: 'Weir test server', publicKey: pair.publicKey, issuer, extensions });
      return { key: pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), cert };
    },
    remove: folder.remove,
  };
}

interface CertificateRequest {
  readonly name: string;
  readonly publicKey: KeyObject;
  readonly issuer: { readonly name: string; readonly publicKey: KeyObject; readonly privateKey: KeyObject };
  readonly extensions: readonly Buffer[];
}

const dayMs = 86_400_000;

const ecdsaWithSha256 = der.sequence(der.identifier('1.2.840.10045.4.3.2'));

/** Creates a certificate by RFC 5280, version 3. */
function certify({ name, publicKey, issuer, extensions }: CertificateRequest): string {
  const subjectKey = der.octets(keyIdentifier(publicKey));
  const authorityKey = der.sequence(der.tagged(0, keyIdentifier(issuer.publicKey), 'primitive'));
  const body = der.sequence(
    der.tagged(0, der.integer(Buffer.from([2])), 'constructed'),
    // The first byte is neither zero nor has the high bit, so the number is positive without padding.
    der.integer(Buffer.concat([Buffer.from([0x40]), randomBytes(15)])),
    ecdsaWithSha256,
    commonName(issuer.name),
    // Yesterday, in case the clock of the client is behind.
    der.sequence(der.time(new Date(Date.now() - dayMs)), der.time(new Date(Date.now() + 7 * dayMs))),
    commonName(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    der.tagged(
      3,
      der.sequence(extension('2.5.29.14', subjectKey), extension('2.5.29.35', authorityKey), ...extensions),
      'constructed',
    ),
  );
  const certificate = der.sequence(body, ecdsaWithSha256, der.bits(sign('sha256', body, issuer.privateKey)));
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}

function authorityExtensions(): readonly Buffer[] {
  const keyCertSign = der.bits(Buffer.from([0b0000_0100]), 2);
  return [
    extension('2.5.29.19', der.sequence(der.boolean(true)), 'critical'),
    extension('2.5.29.15', keyCertSign, 'critical'),
  ];
}

function serverExtensions(hosts: readonly string[]): readonly Buffer[] {
  const digitalSignature = der.bits(Buffer.from([0b1000_0000]), 7);
  const names = hosts.map((host) => der.tagged(2, Buffer.from(host), 'primitive'));
  return [
    extension('2.5.29.19', der.sequence(), 'critical'),
    extension('2.5.29.15', digitalSignature, 'critical'),
    extension('2.5.29.37', der.sequence(der.identifier('1.3.6.1.5.5.7.3.1'))),
    extension('2.5.29.17', der.sequence(...names)),
  ];
}

function extension(identifier: string, value: Buffer, importance: 'critical' | 'other' = 'other'): Buffer {
  const critical = importance === 'critical' ? [der.boolean(true)] : [];
  return der.sequence(der.identifier(identifier), ...critical, der.octets(value));
}

function commonName(name: string): Buffer {
  return der.sequence(der.set(der.sequence(der.identifier('2.5.4.3'), der.text(name))));
}

function keyIdentifier(publicKey: KeyObject): Buffer {
  return createHash('sha1')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest();
}
