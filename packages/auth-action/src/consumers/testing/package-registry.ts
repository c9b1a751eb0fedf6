import { createServer } from 'node:https';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestAuthority } from '@weir/fake-cloud';

export interface PackageRegistry {
  readonly port: number;
  /** `host path` of the requests with the credentials that the host accepts. */
  readonly granted: readonly string[];
  readonly stop: () => Promise<void>;
}

/**
 * The hosts of Artifact Registry for npm, Python and Maven, with one package each. Like those, it refuses requests without
 * the token and asks for nothing.
 */
export async function startPackageRegistry(
  authority: TestAuthority,
  findToken: () => string | undefined,
): Promise<PackageRegistry> {
  const granted: string[] = [];
  const server = createServer(authority.issue(['*.pkg.dev']), (request, response) => {
    const { host = '', authorization } = request.headers;
    const isNpm = host.endsWith('-npm.pkg.dev');
    const token = findToken() ?? '';
    const basic = Buffer.from(`oauth2accesstoken:${token}`).toString('base64');
    if (token === '' || authorization !== (isNpm ? `Bearer ${token}` : `Basic ${basic}`)) {
      response.writeHead(401).end();
      return;
    }
    const answer = answers.find(([pattern]) => pattern.test(pathOf(request)));
    if (answer !== undefined) granted.push(`${host} ${pathOf(request)}`);
    response.writeHead(answer === undefined ? 404 : 200, answer?.[1]).end(answer?.[2]);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    granted,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function pathOf({ url = '' }: IncomingMessage): string {
  return decodeURIComponent(url);
}

const metadata = 'Metadata-Version: 2.1\nName: tool\nVersion: 1.2.3\n';
const parent =
  '<project><modelVersion>4.0.0</modelVersion><groupId>example</groupId><artifactId>parent</artifactId><version>1</version><packaging>pom</packaging></project>';

function packument(name: string): string {
  const version = { name, version: '1.2.3', dist: { tarball: 'https://europe-npm.pkg.dev/p/r/tool.tgz' } };
  return JSON.stringify({ name, 'dist-tags': { latest: '1.2.3' }, versions: { '1.2.3': version } });
}

const json = { 'content-type': 'application/json' };
const answers: readonly (readonly [RegExp, Readonly<Record<string, string>>, string])[] = [
  [/^\/p\/all\/tool$/, json, packument('tool')],
  [/^\/p\/r\/@example\/tool$/, json, packument('@example/tool')],
  [
    /^\/p\/r\/simple\/tool\/$/,
    { 'content-type': 'text/html' },
    '<a href="tool-1.2.3-py3-none-any.whl" data-core-metadata="true">tool-1.2.3-py3-none-any.whl</a>',
  ],
  [/\.whl\.metadata$/, { 'content-type': 'text/plain' }, metadata],
  [/^\/p\/r\/example\/parent\/1\/parent-1\.pom$/, { 'content-type': 'text/xml' }, parent],
];
