// A separate bundle, which main loads only for jobs that sign in to clouds other than Google Cloud.
export { formatCloudSummary } from './cloud-summary';
export { publishClouds } from './publish-clouds';
export { signInToClouds } from '../../clouds/sign-in-to-clouds';
