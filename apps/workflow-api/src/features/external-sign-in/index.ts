export { createExternalSignIn, type ExternalSignIn } from './create-external-sign-in';
