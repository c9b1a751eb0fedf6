// A separate bundle, which main loads only for named identities.
export { publishConfiguration } from './gcloud/publish-configuration';
