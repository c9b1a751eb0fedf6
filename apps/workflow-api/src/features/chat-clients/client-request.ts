import { AppError } from '@weir/foundation';
import { connectionAccesses, type ConnectionAccess } from '@weir/workflow-contract/schemas';
import type { ChatClient } from './chat-client';
import { resourceOf } from './own-address';
import { isRegisteredRedirect, withParameters } from './redirect-address';

/** What a chat client asks a person for. */
export interface ClientRequest {
  readonly client: ChatClient;
  readonly redirectAddress: string;
  readonly resource: string;
  readonly codeChallenge: string;
  readonly accesses: readonly ConnectionAccess[];
  /** Returns the address that takes an answer to the chat client. */
  readonly answerWith: (answer: Readonly<Record<string, string>>) => string;
}

const maxLength = 2048;

/**
 * Reads the query of an authorization request (RFC 6749 with PKCE, RFC 8707 and RFC 9207). Throws `client_unknown`,
 * `redirect_mismatch` or `client_request_invalid`. The person is shown each of them, and the browser goes nowhere: whoever
 * registers a chat client could otherwise make links of this server lead to any page (RFC 9700, 4.11.2).
 */
export async function readClientRequest(
  query: string,
  issuer: string,
  findClient: (id: string) => Promise<ChatClient | undefined>,
): Promise<ClientRequest> {
  const parameters = new URLSearchParams(query.length > maxLength ? '' : query);
  // Of two values, another program might read the other one.
  const only = (name: string): string | undefined => {
    const [value, ...others] = parameters.getAll(name);
    return others.length === 0 ? value : undefined;
  };
  const client = await findClient(only('client_id') ?? '');
  if (client === undefined) throw clientUnknown();
  const redirectAddress = only('redirect_uri') ?? '';
  if (!isRegisteredRedirect(redirectAddress, client.redirectAddresses)) throw redirectMismatch();

  const state = only('state');
  const answerWith = (answer: Readonly<Record<string, string>>): string =>
    withParameters(redirectAddress, { ...answer, state, iss: issuer });
  if (only('response_type') !== 'code') throw requestInvalid('response_type must be code.');
  if ((only('response_mode') ?? 'query') !== 'query') throw requestInvalid('response_mode must be query.');
  const codeChallenge = only('code_challenge') ?? '';
  if (only('code_challenge_method') !== 'S256' || !/^[\w-]{43}$/.test(codeChallenge)) {
    throw requestInvalid('A code_challenge with the method S256 is needed.');
  }
  const resource = resourceOf(issuer);
  if (parameters.getAll('resource').some((each) => each !== resource)) {
    throw requestInvalid(`The only resource is ${resource}.`);
  }
  return { client, redirectAddress, resource, codeChallenge, accesses: readAccesses(only('scope')), answerWith };
}

/** Who asks to read is given no more; other scopes, which some chat clients request everywhere, say nothing here. */
function readAccesses(scope = ''): readonly ConnectionAccess[] {
  const asked = connectionAccesses.filter((access) => scope.split(' ').includes(access));
  return asked.length === 1 && asked[0] === 'read' ? asked : connectionAccesses;
}

function clientUnknown(): AppError {
  const message = 'The chat client is not registered here, or no longer. Remove this server from it and add it again.';
  return new AppError('invalid_request', message, { reason: 'client_unknown' });
}

function redirectMismatch(): AppError {
  const message = 'The chat client wants its code at an address that it has not registered.';
  return new AppError('invalid_request', message, { reason: 'redirect_mismatch' });
}

function requestInvalid(problem: string): AppError {
  const message = `The chat client has made a wrong request. ${problem}`;
  return new AppError('invalid_request', message, { reason: 'client_request_invalid' });
}
