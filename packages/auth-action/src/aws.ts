// A separate bundle, which main loads only for jobs that sign in to AWS.
export { signInToAws } from './clouds/aws';
