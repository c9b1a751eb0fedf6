// A separate bundle, which main loads only for jobs that sign in to Azure.
export { signInToAzure } from './clouds/azure';
