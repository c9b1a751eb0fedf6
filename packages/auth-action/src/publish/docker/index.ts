// A separate bundle, which main loads only for jobs that sign Docker in.
export { issueRegistryTokens } from './issue-registry-token';
export { signInToRegistries } from './sign-in-to-registries';
export { signOutOfRegistries } from './sign-out-of-registries';
