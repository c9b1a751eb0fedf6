import { AppError, toAppError } from '@weir/foundation';
import { endpoint, toHttpStatus } from '@weir/http-contract';
import { createJsonBodyReader, getRequestId, recordCall, type BoundCall } from '@weir/service-kit';
import { connectionAccesses } from '@weir/workflow-contract/schemas';
import express, { Router, type Request, type RequestHandler, type Response } from 'express';
import type { z } from 'zod';
import { toUserPrincipal, type Principal } from '../../access/principal';
import type { AuditTrail } from '../audit';
import { RevocationRequest, TokenRequest, type ConnectionService, type OnLeak } from './connection-service';
import { requireIssuer, resourceOf, type OwnAddress } from './own-address';
import { RegistrationRequest, type RegisterClient } from './register-client';

export interface OauthPagePorts {
  readonly basePath: string;
  readonly connections: ConnectionService;
  readonly registerClient: RegisterClient;
  readonly ownAddress: OwnAddress;
  readonly audit: Pick<AuditTrail, 'openRecord'>;
}

const maxBodyBytes = 16 * 1024;

/** The endpoints only name entries of the audit log: what they answer is laid down by OAuth, not by the described API. */
const registration = auditOnly('registerClient', 'client_register');
const leak = auditOnly('endLeakedConnection', 'client_leak');

function auditOnly(operationId: string, action: string) {
  return endpoint({
    method: 'POST',
    path: '/oauth',
    operationId,
    tag: 'auth',
    summary: '',
    access: 'public',
    audit: { category: 'auth', action },
    success: { status: 200, description: '' },
    errors: {},
  });
}

/**
 * Creates the endpoints with which a chat client signs in (OAuth 2.1 for the Model Context Protocol), at the root of the
 * server: the metadata of the tools has to be at the root of its host (RFC 9728), everything else is below the base path.
 */
export function createOauthPages(ports: OauthPagePorts): RequestHandler {
  const { basePath, connections, registerClient, ownAddress, audit } = ports;
  const router = Router({ caseSensitive: true });
  const readJson = createJsonBodyReader({ maxBytes: maxBodyBytes });
  const readForm = express.urlencoded({ extended: false, limit: maxBodyBytes, parameterLimit: 20 });
  const issuerOf = (req: Request): string => requireIssuer(ownAddress, req.get('host'));

  const metadata = (name: string, suffix: string, describe: (issuer: string) => object): void => {
    router.get(
      [`/.well-known/${name}${basePath}${suffix}`, `${basePath}/.well-known/${name}${suffix}`],
      answered((req, res) => void res.json(describe(issuerOf(req)))),
    );
  };
  metadata('oauth-protected-resource', '/mcp', describeResource);
  metadata('oauth-authorization-server', '', describeIssuer);

  // The page reads the request with the rights of the person. No cookie comes with a browser that another site sends, but
  // one with the scripts of the page.
  router.get(
    `${basePath}/oauth/authorize`,
    answered((req, res) => {
      issuerOf(req);
      const request = new URL(req.originalUrl, 'http://server.invalid').search.slice(1);
      res.set('referrer-policy', 'no-referrer');
      res.redirect(303, `${basePath}/settings?${new URLSearchParams({ connect: request }).toString()}`);
    }),
  );

  router.post(
    `${basePath}/oauth/register`,
    answered(async (req, res) => {
      issuerOf(req);
      const request = parse(RegistrationRequest, await readJson(req, res), 'invalid_client_metadata');
      const client = await recordCall(audit.openRecord(callOf(req, registration)), async (recorded) => {
        const registered = await registerClient(request, req.ip ?? '');
        const { id, name, redirectAddresses } = registered;
        await recorded.audit.record({ resourceId: id, after: { name, redirectAddresses } });
        return registered;
      });
      res.status(201).json({
        client_id: client.id,
        client_id_issued_at: Math.floor(client.createdAt.getTime() / 1000),
        client_name: client.name,
        redirect_uris: client.redirectAddresses,
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
      });
    }),
  );

  router.post(
    `${basePath}/oauth/token`,
    readForm,
    answered(async (req, res) => {
      issuerOf(req);
      const onLeak: OnLeak = async ({ id, clientName }, user) => {
        const call = callOf(req, leak, user === undefined ? undefined : toUserPrincipal(user));
        const record = { resourceId: id, before: { clientName } };
        await recordCall(audit.openRecord(call), (recorded) => recorded.audit.record(record));
      };
      res.json(await connections.exchange(parseTokenRequest(req.body), onLeak));
    }),
  );

  router.post(
    `${basePath}/oauth/revoke`,
    readForm,
    answered(async (req, res) => {
      await connections.revoke(parse(RevocationRequest, req.body, 'invalid_request').token);
      res.status(200).end();
    }),
  );
  return router;
}

/** The address of the metadata of the tools. */
export function resourceMetadataOf(issuer: string): string {
  const { origin, pathname } = new URL(resourceOf(issuer));
  return `${origin}/.well-known/oauth-protected-resource${pathname}`;
}

function describeResource(issuer: string): object {
  return {
    resource: resourceOf(issuer),
    resource_name: 'Weir',
    authorization_servers: [issuer],
    scopes_supported: connectionAccesses,
    bearer_methods_supported: ['header'],
  };
}

function describeIssuer(issuer: string): object {
  return {
    issuer,
    authorization_endpoint: `${issuer}/oauth/authorize`,
    token_endpoint: `${issuer}/oauth/token`,
    registration_endpoint: `${issuer}/oauth/register`,
    revocation_endpoint: `${issuer}/oauth/revoke`,
    scopes_supported: connectionAccesses,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
  };
}

/** Answers failures in the form of OAuth (RFC 6749, 5.2), except those that are not the client's. */
function answered(handle: (req: Request, res: Response) => Promise<void> | void): RequestHandler {
  return async (req, res) => {
    res.set({ 'cache-control': 'no-store', pragma: 'no-cache' });
    try {
      await handle(req, res);
    } catch (caught) {
      const error = toAppError(caught);
      if (error.code === 'internal' || toHttpStatus(error.code) >= 500) throw caught;
      res.status(error.reason === 'clients_unavailable' ? 404 : toHttpStatus(error.code));
      const wait = error.details?.retryAfterSeconds;
      if (typeof wait === 'number') res.set('retry-after', String(wait));
      res.json({ error: oauthErrorOf(error), error_description: error.message });
    }
  };
}

const oauthErrors: ReadonlySet<string> = new Set([
  'invalid_grant',
  'invalid_target',
  'invalid_redirect_uri',
  'invalid_client_metadata',
  'unsupported_grant_type',
]);

function oauthErrorOf({ reason = '' }: AppError): string {
  return oauthErrors.has(reason) ? reason : 'invalid_request';
}

function parseTokenRequest(body: unknown): TokenRequest {
  const { grant_type: type } = (body ?? {}) as { readonly grant_type?: unknown };
  const isKnown = type === undefined || type === 'authorization_code' || type === 'refresh_token';
  return parse(TokenRequest, body, isKnown ? 'invalid_request' : 'unsupported_grant_type');
}

/** Throws an error with this reason. */
function parse<Schema extends z.ZodType>(schema: Schema, given: unknown, reason: string): z.output<Schema> {
  const { data, error } = schema.safeParse(given);
  if (error === undefined) return data;
  const names = [...new Set(error.issues.map(({ path }) => String(path[0] ?? '')))].filter((name) => name !== '');
  throw new AppError('invalid_request', `The request is not valid: ${names.join(', ')}.`, { reason });
}

function callOf(req: Request, described: typeof registration, principal?: Principal): BoundCall<Principal> {
  return {
    endpoint: described,
    requestId: getRequestId(req),
    clientAddress: req.ip ?? '',
    input: { params: undefined, query: undefined, body: undefined },
    ...(principal === undefined ? {} : { principal }),
  };
}
