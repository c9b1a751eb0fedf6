// A separate bundle, which main loads only for `docker_registries`.
export { issueRegistryToken } from './issue-registry-token';
export { signInToRegistries } from './sign-in-to-registries';
export { signOutOfRegistries } from './sign-out-of-registries';
