export { createExternalSignIn, type ExternalSignIn } from './create-external-sign-in';
export { loadOidcProviders } from './load-oidc-providers';
