export type { JobSignIn } from './authenticate-job';
export { bindJobSignInRoutes } from './job-sign-in-routes';
export { loadJobSignIn } from './load-job-sign-in';
