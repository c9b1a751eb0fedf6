// A separate bundle, which main loads only for jobs that sign in to clouds other than Google Cloud.
export { formatCloudSummary } from './clouds/cloud-summary';
export { publishClouds } from './clouds/publish-clouds';
export { signInToClouds } from './clouds/sign-in-to-clouds';
