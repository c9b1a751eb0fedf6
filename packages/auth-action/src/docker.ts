// A separate bundle, which main loads only for `docker_registries`.
export { issueRegistryToken } from './docker/issue-registry-token';
export { signInToRegistries } from './docker/sign-in-to-registries';
export { signOutOfRegistries } from './post/sign-out-of-registries';
