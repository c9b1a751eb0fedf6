export {
  createDiscovery,
  discover,
  isUnreachable,
  loadOidcClient,
  providerTimeoutMs,
  providerUnavailable,
  withBoundedAnswers,
  type OidcClient,
} from './discovery';
export { isSecureAddress, SecureAddress } from './secure-address';
