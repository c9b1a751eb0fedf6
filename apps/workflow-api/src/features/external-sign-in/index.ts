export {
  createExternalSignIn,
  type ExternalSignIn,
  type ExternalSignInOptions,
  type OidcSettings,
} from './create-external-sign-in';
export { defaultGroupsClaim, defaultScopes } from './oidc-defaults';
