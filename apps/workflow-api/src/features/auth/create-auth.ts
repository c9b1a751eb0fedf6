import type { AccessGuard, Logger, Secret } from '@weir/service-kit';
import { workflowContract } from '@weir/workflow-contract';
import type { RequestHandler } from 'express';
import type { Clock } from '@weir/workflow-engine/model';
import type { Bind } from '../../access/bind';
import type { RandomSource } from '../../adapters/random-source';
import type { PasswordHasher } from '../../adapters/password-hasher';
import { createTokenSigner } from '../../adapters/token-signer';
import type { Sealer } from '../../encryption';
import type { OutputEvaluator } from '../../output-thread';
import type { AuditTrail } from '../audit';
import type { ChatClients } from '../chat-clients';
import { createExternalSignIn } from '../external-sign-in';
import { bindJobSignInRoutes, type JobSignIn } from '../job-sign-in';
import type { ExternalSignInOptions } from '../../config/external-sign-in-settings';
import { bindSecondFactorRoutes, createSecondFactorService, type SecondFactorRepository } from '../second-factor';
import type { UserStore } from '../users';
import {
  bindBrowserSessionRoutes,
  createBrowserSessionService,
  type BrowserSessionRepository,
} from '../browser-sessions';
import { createAccessGuard, openGuard } from './access-guard';
import { bindAuthRoutes, bindClosedRoutes } from './auth-routes';
import { createOwnPasswordCheck } from '../../access/check-own-password';
import { createAuthService } from './auth-service';
import { createLoginThrottle } from '../../access/login-throttle';
import type { Principal } from '../../access/principal';

export interface AuthPorts {
  readonly users: UserStore;
  readonly sessions: BrowserSessionRepository;
  readonly secondFactors: SecondFactorRepository;
  readonly hasher: PasswordHasher;
  readonly jwtSecret: Secret;
  readonly tokenTtlSeconds: number;
  /** The path that everything is served below; it has no trailing slash. */
  readonly basePath: string;
  readonly sealer: Pick<Sealer, 'seal' | 'open'>;
  readonly externalSignIn: ExternalSignInOptions;
  /** Evaluates the expressions that give roles. */
  readonly evaluator: OutputEvaluator;
  /** The token for creating the first admin; without one, every client that reaches the server can do that. */
  readonly setupToken?: Secret | undefined;
  readonly jobSignIn: JobSignIn;
  readonly clock: Clock;
  readonly random: RandomSource;
}

/** Checks callers: the guard of every endpoint, and the routes for signing in. */
export interface Auth {
  readonly guard: AccessGuard<Principal>;
  /** Whether the first admin is still to be created. */
  needsSetup(): Promise<boolean>;
  readonly setupToken?: Secret | undefined;
  bindRoutes(bind: Bind): void;
  /** Missing where sign-in is disabled: then tools need no token. */
  readonly chatClients?: Pick<ChatClients, 'createPages' | 'findMetadataAddress'>;
  /** Creates the pages of the sign-in with other providers, at the base path. */
  createPages?(ports: { readonly audit: Pick<AuditTrail, 'openRecord'>; readonly logger: Logger }): RequestHandler;
}

export function createAuth(
  ports: AuthPorts,
  authenticateApiKey: (key: string) => Promise<Principal | undefined>,
): Auth {
  const { users, hasher, jwtSecret, tokenTtlSeconds, clock, random, setupToken, basePath } = ports;
  const throttle = createLoginThrottle();
  const signer = createTokenSigner({ secret: jwtSecret, lifetimeSeconds: tokenTtlSeconds, clock });
  const sessions = createBrowserSessionService({ ...ports, cookiePath: basePath === '' ? '/' : basePath });
  const external = createExternalSignIn(ports.externalSignIn, { ...ports, sessions });
  const { providers } = external;
  const secondFactor = createSecondFactorService(ports);
  const checkOwnPassword = createOwnPasswordCheck({ hasher, throttle });
  const signing = { users, hasher, signer, throttle, checkOwnPassword, secondFactor, clock, random };
  const service = createAuthService({ ...signing, setupToken, providers });
  return {
    guard: createAccessGuard({
      jwtSecret,
      findSession: (token) => sessions.find(token),
      findUser: (id) => users.findById(id),
      authenticateApiKey,
      authenticateJob: (token) => ports.jobSignIn.authenticate(token),
      checkCredentials: service.checkCredentials,
    }),
    needsSetup: async () => (await users.count()) === 0,
    setupToken,
    createPages: (shared) => external.createPages(shared),
    bindRoutes: (bind) => {
      bindAuthRoutes(bind, service, sessions);
      bindBrowserSessionRoutes(bind, { sessions, users, findSignOutPath: (user) => external.findSignOutPath(user) });
      bind(workflowContract.testOidc, ({ input: { body } }) => external.test(body));
      bindJobSignInRoutes(bind, ports.jobSignIn);
      bindSecondFactorRoutes(bind, { secondFactor, users, checkOwnPassword });
    },
  };
}

/** Sign-in is disabled: everyone who can reach the server is an admin, and there are neither users nor keys to manage. */
export const openAuth: Auth = {
  guard: openGuard,
  needsSetup: () => Promise.resolve(false),
  bindRoutes: bindClosedRoutes,
};
