export type { AuthenticateJob } from './authenticate-job';
export { loadJobSignIn } from './load-job-sign-in';
